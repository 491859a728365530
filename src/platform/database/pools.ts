import { type Dialect, Kysely, PostgresDialect, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '#src/platform/config/database.ts'
import { parseExactJson } from '#src/platform/schema/exact-json.ts'
import type { Database, Db, Tables } from './database.ts'
import { pinnable } from './pinned-connection.ts'
import { PreparingClient } from './prepared-statements.ts'

/**
 * Settings of every connection. With PostgreSQL's default of 4 MB the bitmap of a search that matches 100,000 of a
 * million rows turns lossy and the search takes 520 ms instead of 195 ms; compiling the same statement (`jit`) costs
 * more than it saves.
 */
export const SESSION = "set timezone = 'UTC'; set work_mem = '64MB'; set jit = off"

/** Connections for each purpose: none can take those of another. */
const POOL_SIZES = { reads: 12, transactions: 8, long: 5, background: 4, probe: 1 }
type Purpose = keyof typeof POOL_SIZES

const CONNECTION_TIMEOUT_MS = 10_000
/** Statements that still run so long after closing began are cut off. */
const CLOSE_TIMEOUT_MS = 1000
/** `/readyz` answers within the few seconds that a load balancer waits. */
const PROBE_TIMEOUT_MS = 2_000

/** Sends transactions, which may wait for locks, to other connections than the statements that only read. */
class RoutingKysely extends Kysely<Tables> {
  readonly #transactions: Db

  constructor(reads: Dialect, transactions: Db) {
    super({ dialect: reads })
    this.#transactions = transactions
  }

  override transaction(): TransactionBuilder<Tables> {
    return this.#transactions.transaction()
  }

  override async destroy(): Promise<void> {
    await Promise.all([super.destroy(), this.#transactions.destroy()])
  }
}

/** Opens PostgreSQL; connections are made when they are needed. */
export function openPostgres(connectionString: string, timeouts = DATABASE_TIMEOUTS): Database {
  const busy = new Set<pg.ClientBase>()
  const dialect = (purpose: Purpose) => {
    const pool = openPool(connectionString, purpose, timeouts, busy)
    return pinnable(new PostgresDialect({ pool, controlClient: pg.Client }))
  }
  const db = new RoutingKysely(dialect('reads'), new Kysely<Tables>({ dialect: dialect('transactions') }))
  const others = (['long', 'background', 'probe'] as const).map(
    (purpose) => new Kysely<Tables>({ dialect: dialect(purpose) }),
  )
  const [long, background, probe] = others as [Db, Db, Db]
  return {
    db,
    long,
    longBatchLength: 1_000_000,
    maxBatchMs: Number.POSITIVE_INFINITY,
    background,
    probe,
    source: { connectionString },
    close: async () => {
      const cutOff = () => busy.forEach((client) => void (client as unknown as pg.Client).end())
      const timer = setTimeout(cutOff, CLOSE_TIMEOUT_MS).unref()
      await Promise.all([db, ...others].map((pool) => pool.destroy()))
      clearTimeout(timer)
    },
  }
}

const JSON_TYPES: readonly number[] = [pg.types.builtins.JSON, pg.types.builtins.JSONB]

/** The parsers of `pg`, except that JSON keeps the digits of its integers. */
const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: 'text' | 'binary') =>
  JSON_TYPES.includes(type) && format !== 'binary'
    ? parseExactJson
    : pg.types.getTypeParser(type, format as 'text')

/** @param busy the connections that closing may have to cut off */
function openPool(
  connectionString: string,
  purpose: Purpose,
  timeouts: DatabaseTimeouts,
  busy: Set<pg.ClientBase>,
): pg.Pool {
  const session = `${SESSION}; ${limits(purpose, timeouts)}`
  const connectionTimeoutMillis = purpose === 'probe' ? PROBE_TIMEOUT_MS : CONNECTION_TIMEOUT_MS
  const setUp = setUpConnection(session, connectionTimeoutMillis)
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZES[purpose],
    connectionTimeoutMillis,
    Client: PreparingClient,
    types: { getTypeParser },
    application_name: `deal-pipeline ${purpose}`,
    onConnect: async (client) => {
      busy.add(client)
      await setUp(client).catch((error) => {
        busy.delete(client)
        throw error
      })
    },
  })
  pool.on('acquire', (client) => busy.add(client))
  pool.on('release', (_error, client) => busy.delete(client))
  // A connection that breaks while idle has been taken out of the pool; the next query opens another.
  pool.on('error', () => {})
  return pool
}

/** Sets up a new connection before its first statement. If that fails or takes too long, the pool closes it. */
const setUpConnection = (session: string, milliseconds: number) => async (client: pg.ClientBase) => {
  // Without a listener a connection that breaks between two statements of a transaction would end the process.
  client.on('error', () => {})
  const statement = { text: session, query_timeout: milliseconds }
  await client.query(statement)
}

/** Opens connections for what makes its own statements, with the limits of long work. */
export function openOtherPool(connectionString: string, max: number, timeouts = DATABASE_TIMEOUTS): pg.Pool {
  const connectionTimeoutMillis = CONNECTION_TIMEOUT_MS
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis,
    application_name: 'deal-pipeline',
    // A pooler such as PgBouncer would not accept them as parameters of the connection.
    onConnect: setUpConnection(limits('long', timeouts), connectionTimeoutMillis),
  })
  pool.on('error', () => {})
  return pool
}

/** Migrations and index builds take as long as they take; so does waiting for another process that does them. */
function limits(
  purpose: Purpose,
  { statement, longStatement, lock, idleTransaction }: DatabaseTimeouts,
): string {
  const [statementSeconds, lockSeconds] =
    purpose === 'background'
      ? [0, 0]
      : purpose === 'long'
        ? [longStatement, longStatement]
        : [statement, lock]
  return `set statement_timeout = '${statementSeconds}s'; set lock_timeout = '${lockSeconds}s';
    set idle_in_transaction_session_timeout = '${idleTransaction}s'`
}
