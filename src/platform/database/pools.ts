import { type Dialect, Kysely, PostgresDialect, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '#src/platform/config/database.ts'
import { parseExactJson } from '#src/platform/schema/exact-json.ts'
import type { Database, Db, Tables } from './database.ts'
import { pinnable } from './pinned-connection.ts'
import { PreparingClient } from './prepared-statements.ts'
import { POOL_SIZES, type Purpose, setUpSession } from './session.ts'
import { ControlClient } from './silence.ts'

const CONNECTION_TIMEOUT_MS = 10_000
/** From then on, an idle connection is checked every second, and closed after ten checks without an answer. */
const KEEPALIVE_DELAY_MS = 10_000
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
    return pinnable(new PostgresDialect({ pool, controlClient: ControlClient }))
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
  const { onConnect, ...options } = poolOptions(connectionString, purpose, timeouts)
  const pool = new pg.Pool({
    ...options,
    Client: PreparingClient,
    types: { getTypeParser },
    application_name: `deal-pipeline ${purpose}`,
    onConnect: async (client) => {
      busy.add(client)
      await onConnect(client).catch((error) => {
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

/** Opens connections for the job queue, which makes its own statements. */
export function openQueuePool(connectionString: string, timeouts = DATABASE_TIMEOUTS): pg.Pool {
  const options = poolOptions(connectionString, 'queue', timeouts)
  const pool = new pg.Pool({ ...options, application_name: 'deal-pipeline' })
  pool.on('error', () => {})
  return pool
}

function poolOptions(connectionString: string, purpose: Purpose, timeouts: DatabaseTimeouts) {
  const connectionTimeoutMillis = purpose === 'probe' ? PROBE_TIMEOUT_MS : CONNECTION_TIMEOUT_MS
  return {
    connectionString,
    max: POOL_SIZES[purpose],
    connectionTimeoutMillis,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    onConnect: setUpSession(connectionString, purpose, timeouts, connectionTimeoutMillis),
  }
}
