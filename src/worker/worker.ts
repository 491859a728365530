import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BulkActionJob, type Client, createClient, type Usage } from '#src/client/client.ts'
import {
  ApiError,
  DependencyUnavailable,
  NotAllowed,
  NotSignedIn,
  ServiceUnreachable,
  TooManyRequests,
} from '#src/client/errors.ts'
import type { Sessions } from '#src/platform/identity/session.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { EndpointFailure } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { HEARTBEAT_SECONDS, type Queue, type QueuedJob } from '#src/platform/queue.ts'
import { failedResults, processBatch, reportResults, type ServiceCall, type UnsentResults } from './batch.ts'
import { storable } from './material.ts'
import type { BulkQueues } from './queues.ts'
import { type Handlers, HopelessWork, isFinished, PostponedWork, type Progress, WorkError } from './work.ts'

export interface WorkerParts {
  /** URL of the service. */
  baseUrl: string
  sessions: Sessions
  queues: BulkQueues
  handlers: Handlers
  /** Number of batches processed at the same time, per queue. */
  concurrency: number
  log: Logger
}

const POLL_INTERVAL_MS = 1000
/** After this many failures, in about ten minutes, the companies of the batch fail. */
const MAX_FAILURES = 12
const FAILURE_BACKOFF_MS = 2000
const TOKEN_SECONDS = 3600
/** Errors that end when an operator fixes the service or the worker's settings. */
const RETRYABLE_ERRORS = [ServiceUnreachable, NotSignedIn, NotAllowed, TooManyRequests]
/** Retries while a dependency of the service is down, before other batches get their turn. */
const MAX_DEPENDENCY_RETRIES = 4
const POSTPONE_SECONDS = 10

/**
 * Starts a worker. It takes jobs from the queues of the action types that it has handlers for, and submits the results
 * through the HTTP API. Other jobs stay in their queues.
 * @returns a function that stops it and returns unfinished batches to the queue
 */
export function startWorker(parts: WorkerParts): () => Promise<void> {
  const stop = new AbortController()
  const worker: RunningWorker = {
    ...parts,
    getClient: createClientProvider(parts),
    unsent: new Map(),
    stopped: stop.signal,
  }
  const actionTypes = Object.keys(parts.queues) as (keyof BulkQueues)[]
  const queues = new Set(actionTypes.filter((type) => parts.handlers[type]).map((type) => parts.queues[type]))
  const unsupported = actionTypes.filter((type) => !parts.handlers[type])
  if (unsupported.length > 0)
    parts.log.info(`no model is set for ${unsupported.join(' and ')}: these actions stay in the queue`)
  const loops = [...queues].flatMap((queue) =>
    Array.from({ length: parts.concurrency }, () => pollQueue(worker, queue)),
  )
  return async () => {
    stop.abort()
    await Promise.all(loops)
  }
}

interface RunningWorker extends WorkerParts {
  getClient: () => Promise<Client>
  unsent: UnsentResults
  stopped: AbortSignal
}

/** Returns a function that gives a client with a valid token. Tokens are renewed after half their lifetime. */
function createClientProvider({ baseUrl, sessions }: WorkerParts): () => Promise<Client> {
  let client: Promise<Client> | undefined
  let renewAt = 0
  return () => {
    if (!client || Date.now() > renewAt) {
      renewAt = Date.now() + (TOKEN_SECONDS / 2) * 1000
      client = signWorkerToken(sessions, TOKEN_SECONDS).then((token) =>
        createClient({ baseUrl, headers: { authorization: `Bearer ${token}` }, idempotent: false }),
      )
    }
    return client
  }
}

async function pollQueue(worker: RunningWorker, queue: Queue<BulkActionJob>): Promise<void> {
  const { stopped, log } = worker
  let isFailing = false
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: stopped }).catch(() => {})
  while (!stopped.aborted) {
    try {
      await queue.start()
      const job = await queue.fetch()
      if (job) await processJob(worker, queue, job)
      else await pause(POLL_INTERVAL_MS)
      isFailing = false
    } catch (error) {
      if (!isFailing && !stopped.aborted) log.warn({ err: error }, 'the worker failed and will retry')
      isFailing = true
      await pause(FAILURE_BACKOFF_MS)
    }
  }
}

async function processJob(
  worker: RunningWorker,
  queue: Queue<BulkActionJob>,
  job: QueuedJob<BulkActionJob>,
): Promise<void> {
  const { getClient, handlers, unsent } = worker
  const { bulk_action_id: id, company_ids, attempt = 1 } = job.data
  const ended = new AbortController()
  const sendHeartbeat = () => {
    queue.keepAlive(job).catch(() => {})
    fetchIsFinished(getClient, id).then(
      (isActionFinished) => isActionFinished && ended.abort(),
      () => {},
    )
  }
  const heartbeat = setInterval(sendHeartbeat, (HEARTBEAT_SECONDS / 3) * 1000)
  const progress = {
    stopped: AbortSignal.any([worker.stopped, ended.signal]),
    onRetry: waitingReporter(getClient, id, worker.log),
    onSpent: (usage: Usage) => {
      const body = { results: [], usage }
      getClient()
        .then((client) => client.postBulkActionResults({ params: { id }, body }))
        .catch((error) => worker.log.warn({ err: error, bulk_action_id: id }, 'the usage of a call is lost'))
    },
  }
  const callService: ServiceCall = (request) => withRetries(async () => request(await getClient()), progress)
  try {
    const querystring = { company_ids: company_ids.join(',') }
    const { data: work } = await callService((client) =>
      client.getBulkActionWork({ params: { id }, querystring }),
    )
    await processBatch({ id, attempt, handlers, unsent, callService, progress }, work)
    await queue.complete(job)
  } catch (error) {
    if (ended.signal.aborted) return await queue.complete(job)
    if (worker.stopped.aborted) return await queue.postpone(job, 0)
    if (error instanceof HopelessWork) {
      const stopped_for = publicMessage(error)
      worker.log.warn({ bulk_action_id: id }, `the worker stops the action: ${stopped_for}`)
      await callService((client) =>
        client.postBulkActionResults({ params: { id }, body: { results: [], stopped_for, attempt } }),
      )
      return await queue.complete(job)
    }
    if (await retryLater(worker, queue, job, error, progress)) return
    const failures = failedResults(company_ids, 'unavailable', publicMessage(error))
    await reportResults({ id, attempt, unsent, callService }, failures)
    await queue.complete(job)
  } finally {
    clearInterval(heartbeat)
  }
}

/**
 * Returns a job that failed to its queue.
 * @returns false if it has failed too often
 */
async function retryLater(
  { log }: RunningWorker,
  queue: Queue<BulkActionJob>,
  job: QueuedJob<BulkActionJob>,
  error: unknown,
  { onRetry }: Progress,
): Promise<boolean> {
  const message = publicMessage(error)
  if (error instanceof PostponedWork) {
    onRetry(message)
    await queue.postpone(job, POSTPONE_SECONDS)
    return true
  }
  const willRetry = job.failures < MAX_FAILURES
  const { bulk_action_id } = job.data
  log.warn({ err: error, bulk_action_id }, `a batch failed${willRetry ? ' and will be retried' : ''}`)
  if (!willRetry) return false
  onRetry(message)
  await queue.fail(job, message)
  return true
}

/** Whether the action was cancelled, or ended otherwise, while one of its batches is being processed. */
async function fetchIsFinished(getClient: () => Promise<Client>, id: string): Promise<boolean> {
  return isFinished((await (await getClient()).getBulkAction({ params: { id } })).data)
}

/** Returns a function that stores on the action, and logs, what it is waiting for: each reason once in a row. */
function waitingReporter(
  getClient: () => Promise<Client>,
  id: string,
  log: Logger,
): (reason: string) => void {
  let lastReason = ''
  return (reason) => {
    if (reason === lastReason) return
    lastReason = reason
    log.warn({ bulk_action_id: id }, `the worker is waiting: ${reason}`)
    const waiting_for = storable(
      reason.replace(/[;.] try again later\.$/i, '; the worker retries automatically.'),
      2000,
    )
    getClient()
      .then((client) => client.postBulkActionResults({ params: { id }, body: { results: [], waiting_for } }))
      .catch(() => {})
  }
}

/** The message to show to users. Other kinds of errors may contain internal details. */
const publicMessage = (error: unknown): string =>
  [ApiError, ServiceUnreachable, EndpointFailure, HopelessWork, PostponedWork, WorkError].some(
    (kind) => error instanceof kind,
  )
    ? storable((error as Error).message, 2000)
    : 'The worker failed. See its log for details.'

/**
 * Calls the service and retries while it is unreachable.
 * @throws PostponedWork when a dependency of the service stays down, because other batches may not need it
 */
async function withRetries<T>(call: () => Promise<T>, { stopped, onRetry }: Progress): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await call()
    } catch (error) {
      if (stopped.aborted) throw error
      if (error instanceof DependencyUnavailable) {
        if (attempt > MAX_DEPENDENCY_RETRIES) throw new PostponedWork(error.message)
      } else if (!RETRYABLE_ERRORS.some((kind) => error instanceof kind)) throw error
      onRetry((error as Error).message)
      await sleep(FAILURE_BACKOFF_MS, undefined, { signal: stopped }).catch(() => {})
    }
}
