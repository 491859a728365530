import type { PGlite } from '@electric-sql/pglite'
import { fromKysely, fromPglite, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { shareResult } from '#src/platform/process/share-result.ts'
import type { Db } from './database/database.ts'

/** Work that somebody started: it outlives the process, and is given to one worker at a time. */
export interface QueuedJob<T> {
  id: string
  data: T
  priority: number
  /** How often it has been given out before. */
  failures: number
}

export interface NewJob<T> {
  data: T
  /** The highest is given out first. */
  priority: number
  /** In seconds: it is not given out before. */
  startAfter?: number
}

export interface Queue<T extends object> {
  /** Creates what the queue needs in the database. To be called before `send`: in a transaction it is too late. */
  start(): Promise<void>
  /** Adds jobs; they are there when the transaction commits. */
  send(transaction: Db, jobs: NewJob<T>[]): Promise<void>
  /** The most urgent job; undefined: there is none. It has to be kept alive. */
  fetch(): Promise<QueuedJob<T> | undefined>
  /** Says that a worker is still at it; without that, another one is given the job after a quarter of a minute. */
  keepAlive(job: QueuedJob<T>): Promise<void>
  complete(job: QueuedJob<T>): Promise<void>
  /** Gives a job back: it is given out again after a pause, which grows. */
  fail(job: QueuedJob<T>, reason: string): Promise<void>
  /** Gives a job back, which is not its fault, to be given out again after a while. */
  postpone(job: QueuedJob<T>, seconds: number): Promise<void>
}

export interface QueueOptions {
  /** Between two tries of a job that fails. */
  maxRetryDelaySeconds?: number
}

/** The queues of a database. */
export interface Queues {
  queue<T extends object>(name: string, options?: QueueOptions): Queue<T>
  stop(): Promise<void>
}

/** Who works on a job decides when to give it up; until then it is not lost. */
const RETRIES = 1_000_000
const MAX_RETRY_DELAY_SECONDS = 60
export const HEARTBEAT_SECONDS = 15
const SUPERVISE_SECONDS = 5

/** Queues in the database: pg-boss, on PostgreSQL with connections of its own. Nothing else touches pg-boss. */
export function openQueues(database: { connectionString: string } | { pglite: PGlite }, log: Logger): Queues {
  const boss = new PgBoss({
    ...('pglite' in database
      ? { backend: 'pglite', db: fromPglite(database.pglite) }
      : { connectionString: database.connectionString, max: 4, application_name: 'deal-pipeline' }),
    schedule: false,
    supervise: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  })
  boss.on('error', (error) => log.debug({ err: error }, 'the queue could not do its upkeep'))
  let isStarted = false
  const start = shareResult(() => {
    isStarted = true
    return boss.start()
  })
  return {
    queue: (name, options) => openQueue(boss, name, options, start),
    stop: async () => {
      if (isStarted) await boss.stop({ graceful: false, close: true })
    },
  }
}

function openQueue<T extends object>(
  boss: PgBoss,
  name: string,
  { maxRetryDelaySeconds = MAX_RETRY_DELAY_SECONDS }: QueueOptions = {},
  startBoss: () => Promise<unknown>,
): Queue<T> {
  const start = shareResult(async () => {
    await startBoss()
    await boss.createQueue(name, {
      retryLimit: RETRIES,
      retryBackoff: true,
      retryDelay: 1,
      retryDelayMax: maxRetryDelaySeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      // A worker that is alive may take its time; one that is not is found by its heart.
      expireInSeconds: 23 * 3600,
      deleteAfterSeconds: 24 * 3600,
      retentionSeconds: 365 * 24 * 3600,
    })
    // pg-boss looks the queue up once; in a transaction on the one embedded connection that would wait for ever.
    await boss.findJobs(name, { id: '00000000-0000-0000-0000-000000000000' })
  })
  return {
    start,
    send: async (transaction, jobs) => {
      await boss.insert(name, jobs, { db: fromKysely(transaction) })
    },
    fetch: async () => {
      const [job] = await boss.fetch<T>(name, { includeMetadata: true })
      return job && { id: job.id, data: job.data, priority: job.priority, failures: job.retryCount }
    },
    keepAlive: async ({ id }) => void (await boss.touch(name, id)),
    complete: async ({ id }) => void (await boss.complete(name, id)),
    fail: async ({ id }, reason) => void (await boss.fail(name, id, { reason })),
    // The copy first: a job that is there twice does no harm to whoever settles each part of it once.
    postpone: async ({ id, data, priority }, seconds) => {
      await boss.insert(name, [{ data, priority, startAfter: seconds }])
      await boss.complete(name, id)
    },
  }
}
