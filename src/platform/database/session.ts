import { sql } from 'kysely'
import type pg from 'pg'
import type { DatabaseTimeouts } from '#src/platform/config/database.ts'
import type { Db } from './database.ts'
import { PreparingClient } from './prepared-statements.ts'
import { closeWhenSilent, isWorkingOn, processIdOf } from './silence.ts'

/** Connections for each purpose: none can take those of another. */
export const POOL_SIZES = { reads: 12, transactions: 8, long: 5, background: 4, probe: 1, queue: 4 }
export type Purpose = keyof typeof POOL_SIZES

/**
 * Settings of every connection. With PostgreSQL's default of 4 MB the bitmap of a search that matches 100,000 of a
 * million rows turns lossy and the search takes 520 ms instead of 195 ms; compiling the same statement (`jit`) costs
 * more than it saves.
 */
const SETTINGS = { timezone: 'UTC', work_mem: '64MB', jit: 'off' }

/** Lets a transaction wait between its statements, however long. */
export const allowIdleness = (transaction: Db) =>
  sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)

const statements = (verb: 'set' | 'set local', settings: object): string =>
  Object.entries(settings)
    .map(([name, value]) => `${verb} ${name} = '${value}'`)
    .join('; ')

export const SESSION = statements('set', SETTINGS)

/** How long after its time limit a statement of a request may be silent, before the server is asked about it. */
const MARGIN_MS = 5000
const LONG_SILENCE_MS = 60_000
const PROBE_SILENCE_MS = 5000

/** The service cannot work through the pooler as it is set up. The message says how to change that. */
export class PoolerUnusable extends Error {}

interface Found {
  pid: number
  /** Schemas of extensions outside of the search path. */
  schemas: string | null
  search_path: string
  role: string
}

const FIND = `
  select pg_backend_pid() as pid, current_setting('search_path') as search_path, quote_ident(current_user) as role,
    (select string_agg(distinct quote_ident(nspname), ', ')
      from pg_extension join pg_namespace n on n.oid = extnamespace
      where extname in ('pg_trgm', 'unaccent', 'vector') and nspname <> all(current_schemas(true))) as schemas`

/**
 * Sets up a new connection before its first statement. If that fails or takes too long, the pool closes the connection.
 *
 * PostgreSQL tells each connection its process ID. Where another process answers, a pooler such as PgBouncer is in between:
 * the next transaction may be on another connection to the server, so that settings last for one transaction.
 * @param milliseconds how long each statement may take
 * @returns a function that throws PoolerUnusable
 */
export const setUpSession =
  (connectionString: string, purpose: Purpose, timeouts: DatabaseTimeouts, milliseconds: number) =>
  async (client: pg.ClientBase): Promise<void> => {
    // Without a listener a connection that breaks between two statements of a transaction would end the process.
    client.on('error', () => {})
    const run = <Row extends pg.QueryResultRow>(text: string) => {
      const statement = { text, query_timeout: milliseconds }
      return client.query<Row>(statement)
    }
    const { rows } = await run<Found>(FIND)
    const { pid, schemas, search_path, role } = rows[0] as Found
    const path = schemas && (search_path ? `${search_path}, ${schemas}` : schemas)
    const settings = { ...SETTINGS, ...limits(purpose, timeouts) }
    if (pid === processIdOf(client)) {
      await run(`${statements('set', settings)}${path ? `; set search_path = ${path}` : ''}`)
      closeWhenSilent(client, silence(purpose, timeouts), () => isWorkingOn(connectionString, client))
      return
    }
    if (path)
      throw new PoolerUnusable(
        `The extensions in the schema ${schemas} are outside of the search path, which the service cannot change through a pooler. Run: alter role ${role} set search_path = ${path}; then reconnect the pooler.`,
      )
    await run('begin').catch(explainStatementMode)
    // PgBouncer keeps this setting for each of its clients.
    await run(`rollback; set timezone = '${SETTINGS.timezone}'`)
    if (client instanceof PreparingClient) client.localSettings = statements('set local', settings)
    closeWhenSilent(client, pooledSilence(purpose, timeouts))
  }

function explainStatementMode(error: Error): never {
  if (!/statement pooling mode/.test(error.message)) throw error
  throw new PoolerUnusable(
    `The pooler does not allow transactions (${error.message}). Set its pool_mode to transaction or session.`,
    { cause: error },
  )
}

/** Migrations and index builds take as long as they take; so does waiting for another process that does them. */
function limits(purpose: Purpose, { statement, longStatement, lock, idleTransaction }: DatabaseTimeouts) {
  const [statementSeconds, lockSeconds] = {
    reads: [statement, lock],
    transactions: [statement, lock],
    probe: [statement, lock],
    long: [longStatement, longStatement],
    queue: [longStatement, longStatement],
    background: [0, 0],
  }[purpose]
  return {
    statement_timeout: `${statementSeconds}s`,
    lock_timeout: `${lockSeconds}s`,
    idle_in_transaction_session_timeout: `${idleTransaction}s`,
  }
}

/** How long a connection may take to answer before the server is asked whether it still works, in milliseconds. */
function silence(purpose: Purpose, { statement, longStatement }: DatabaseTimeouts): number {
  if (purpose === 'probe') return PROBE_SILENCE_MS
  const seconds = {
    reads: statement,
    transactions: statement,
    long: longStatement,
    queue: statement,
    background: 0,
  }
  return Math.min(limitOf(seconds[purpose]) || LONG_SILENCE_MS, LONG_SILENCE_MS)
}

/** The same where the server cannot be asked. 0: keepalive alone finds out that the pooler is gone. */
function pooledSilence(purpose: Purpose, { statement, longStatement }: DatabaseTimeouts): number {
  if (purpose === 'background') return 0
  return limitOf(purpose === 'long' || purpose === 'queue' ? longStatement : statement)
}

const limitOf = (seconds: number): number => (seconds === 0 ? 0 : seconds * 1000 + MARGIN_MS)
