import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'
import { fromKysely, fromPglite, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { DatabaseTimeouts } from '#src/platform/config/database.ts'
import { memoize } from '#src/platform/single-flight.ts'
import type { Db } from './database/database.ts'
import { openQueuePool } from './database/pools.ts'
import type { DatabaseWrites } from './database/writes.ts'

/** A unit of work that survives restarts and is given to one worker at a time. */
export interface QueuedJob<T> {
  id: string
  data: T
  priority: number
  /** How many earlier attempts failed. */
  failures: number
}

export interface NewJob<T> {
  data: T
  /** Higher priorities are fetched first. */
  priority: number
  /** Seconds until the job may be fetched. */
  startAfter?: number
}

export interface Queue<T extends object> {
  /** Creates the queue in the database. Call it before `send`: inside a transaction it is too late. */
  start(): Promise<void>
  /** Adds jobs, which become visible when the transaction commits. */
  send(transaction: Db, jobs: NewJob<T>[]): Promise<void>
  /** The job with the highest priority, or `undefined`. Call `keepAlive` while working on it. */
  fetch(): Promise<QueuedJob<T> | undefined>
  /** Extends the worker's claim. Without it, the job goes to another worker after 15 seconds. */
  keepAlive(job: QueuedJob<T>): Promise<void>
  complete(job: QueuedJob<T>): Promise<void>
  /** Returns a failed job to the queue; it is retried after a growing delay. */
  fail(job: QueuedJob<T>, reason: string): Promise<void>
  /** Returns a job to the queue without counting a failure, to be fetched again after the delay. */
  postpone(job: QueuedJob<T>, seconds: number): Promise<void>
}

export interface QueueOptions {
  /** The maximum delay between attempts of a failing job. */
  maxRetryDelaySeconds?: number
}

/** The queues of a database. */
export interface Queues {
  /** Creates the queues' tables. Starting a queue does this too. */
  createTables(): Promise<void>
  queue<T extends object>(name: string, options?: QueueOptions): Queue<T>
  stop(): Promise<void>
}

/** The schema of the queues' tables. */
export const QUEUE_SCHEMA = 'pgboss'

/** The worker decides when to give up on a job; until then it is kept. */
const RETRIES = 1_000_000
const MAX_RETRY_DELAY_SECONDS = 60
export const HEARTBEAT_SECONDS = 15
const SUPERVISE_SECONDS = 5
/** In the embedded database, only a crash leaves jobs whose worker is dead, which the check after the start finds. */
const EMBEDDED_SUPERVISE_SECONDS = 60
/** A queue that was used within this time is asked for jobs without waiting for writes: one may be about to be retried. */
const QUIET_AFTER_MS = 90_000

interface QueuesOptions {
  timeouts?: DatabaseTimeouts
  /** With it, a queue that is not in use is asked for jobs only after writes. */
  writes?: DatabaseWrites
}

/** Opens pg-boss, which has its own connections on PostgreSQL. No other file uses pg-boss. */
export function openQueues(
  database: { connectionString: string } | { pglite: PGlite },
  log: Logger,
  { timeouts, writes }: QueuesOptions = {},
): Queues {
  const pool = 'pglite' in database ? undefined : openQueuePool(database.connectionString, timeouts)
  const boss = new PgBoss({
    schema: QUEUE_SCHEMA,
    ...('pglite' in database
      ? { backend: 'pglite', db: fromPglite(database.pglite) }
      : { db: { executeSql: (text: string, values?: unknown[]) => (pool as pg.Pool).query(text, values) } }),
    schedule: false,
    supervise: true,
    superviseIntervalSeconds: pool ? SUPERVISE_SECONDS : EMBEDDED_SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    monitorVacuum: false,
    // No job depends on another.
    flowIntervalSeconds: 24 * 3600,
  })
  const logError = (error: unknown) => log.debug({ err: error }, 'queue maintenance failed')
  boss.on('error', logError)
  let isStarted = false
  let firstCheck: NodeJS.Timeout | undefined
  const start = memoize(async () => {
    isStarted = true
    await boss.start()
    if (pool) return
    const check = () => void boss.supervise().catch(logError)
    firstCheck = setTimeout(check, (HEARTBEAT_SECONDS + 1) * 1000).unref()
  })
  return {
    createTables: async () => void (await start()),
    queue: (name, options) => openQueue(boss, name, options, start, writes),
    stop: async () => {
      clearTimeout(firstCheck)
      if (isStarted) await boss.stop({ graceful: false })
      if (pool && !pool.ending) await pool.end()
    },
  }
}

function openQueue<T extends object>(
  boss: PgBoss,
  name: string,
  { maxRetryDelaySeconds = MAX_RETRY_DELAY_SECONDS }: QueueOptions = {},
  startBoss: () => Promise<unknown>,
  writes: DatabaseWrites | undefined,
): Queue<T> {
  let usedAt = Number.NEGATIVE_INFINITY
  const fetchNow = () => boss.fetch<T>(name, { includeMetadata: true })
  const isQuiet = (jobs: unknown[]) => jobs.length === 0 && performance.now() - usedAt > QUIET_AFTER_MS
  const fetchJobs = writes ? writes.skipUntilWritten(fetchNow, isQuiet) : fetchNow
  const start = memoize(async () => {
    await startBoss()
    await boss.createQueue(name, {
      retryLimit: RETRIES,
      retryBackoff: true,
      retryDelay: 1,
      retryDelayMax: maxRetryDelaySeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      // A live worker may take as long as it needs; the heartbeat detects a dead one.
      expireInSeconds: 23 * 3600,
      deleteAfterSeconds: 24 * 3600,
      retentionSeconds: 365 * 24 * 3600,
    })
    // pg-boss looks each queue up once. On the single embedded connection, that lookup would deadlock in a
    // transaction.
    await boss.findJobs(name, { id: '00000000-0000-0000-0000-000000000000' })
  })
  return {
    start,
    send: async (transaction, jobs) => {
      await boss.insert(name, jobs, { db: fromKysely(transaction) })
    },
    fetch: async () => {
      const [job] = (await fetchJobs()) ?? []
      if (job) usedAt = performance.now()
      return job && { id: job.id, data: job.data, priority: job.priority, failures: job.retryCount }
    },
    keepAlive: async ({ id }) => void (await boss.touch(name, id)),
    complete: async ({ id }) => void (await boss.complete(name, id)),
    fail: async ({ id }, reason) => void (await boss.fail(name, id, { reason })),
    // Insert first: a duplicate job is harmless because its parts are settled only once.
    postpone: async ({ id, data, priority }, seconds) => {
      await boss.insert(name, [{ data, priority, startAfter: seconds }])
      await boss.complete(name, id)
    },
  }
}
