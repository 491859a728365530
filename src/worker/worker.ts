import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BulkActionJob, type Client, createClient } from '#src/client/client.ts'
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
import { EndpointFailure } from '#src/platform/models/endpoint-faults.ts'
import { HEARTBEAT_SECONDS, type Queue, type QueuedJob } from '#src/platform/queue.ts'
import { type Ask, failed, type KeptResults, processBatch, reportResults } from './batch.ts'
import { cut } from './material.ts'
import type { BulkQueues } from './queues.ts'
import { type Handlers, isOver, PostponedWork, type Progress, WorkError } from './work.ts'

export interface WorkerParts {
  /** Where the service is. */
  baseUrl: string
  sessions: Sessions
  queues: BulkQueues
  handlers: Handlers
  /** How many batches it works on at a time, of each queue. */
  concurrency: number
  log: Logger
}

const CHECK_INTERVAL_MS = 1000
/** After so many tries, in about ten minutes, a batch is given up. */
const MAX_FAILURES = 12
const FAILURE_BACKOFF_MS = 2000
const TOKEN_SECONDS = 3600
/** Faults that somebody mends at the service, or at the worker's settings. */
const WAITED_FOR = [ServiceUnreachable, NotSignedIn, NotAllowed, TooManyRequests]
/** So often something that the service depends on is waited for, until other work gets its turn. */
const MAX_WAITS = 4
const POSTPONED_SECONDS = 10
/**
 * Takes jobs of the types that it has handlers for from their queues, and hands in what has come of them through the
 * HTTP API. The others' jobs stay in their queues.
 * @returns stops it: batches that it is at are given back to the queue
 */
export function startWorker(parts: WorkerParts): () => Promise<void> {
  const stop = new AbortController()
  const worker: RunningWorker = {
    ...parts,
    clientOf: freshClient(parts),
    kept: new Map(),
    stopped: stop.signal,
  }
  const types = Object.keys(parts.queues) as (keyof BulkQueues)[]
  const queues = new Set(types.filter((type) => parts.handlers[type]).map((type) => parts.queues[type]))
  const others = types.filter((type) => !parts.handlers[type])
  if (others.length > 0)
    parts.log.info(
      `no model is set for ${others.join(' and ')}: this worker leaves such actions in the queue`,
    )
  const loops = [...queues].flatMap((queue) =>
    Array.from({ length: parts.concurrency }, () => loop(worker, queue)),
  )
  return async () => {
    stop.abort()
    await Promise.all(loops)
  }
}

interface RunningWorker extends WorkerParts {
  clientOf: () => Promise<Client>
  kept: KeptResults
  stopped: AbortSignal
}

/** A client with a token that lasts for a while yet. */
function freshClient({ baseUrl, sessions }: WorkerParts): () => Promise<Client> {
  let client: Promise<Client> | undefined
  let renewAt = 0
  return () => {
    if (!client || Date.now() > renewAt) {
      renewAt = Date.now() + (TOKEN_SECONDS / 2) * 1000
      client = signWorkerToken(sessions, TOKEN_SECONDS).then((token) =>
        createClient({ baseUrl, headers: { authorization: `Bearer ${token}` } }),
      )
    }
    return client
  }
}

async function loop(worker: RunningWorker, queue: Queue<BulkActionJob>): Promise<void> {
  const { stopped, log } = worker
  let isFailing = false
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: stopped }).catch(() => {})
  while (!stopped.aborted) {
    try {
      await queue.start()
      const job = await queue.fetch()
      if (job) await workOn(worker, queue, job)
      else await pause(CHECK_INTERVAL_MS)
      isFailing = false
    } catch (error) {
      if (!isFailing && !stopped.aborted)
        log.warn({ err: error }, 'the worker could not work; it will try again')
      isFailing = true
      await pause(FAILURE_BACKOFF_MS)
    }
  }
}

async function workOn(
  worker: RunningWorker,
  queue: Queue<BulkActionJob>,
  job: QueuedJob<BulkActionJob>,
): Promise<void> {
  const { clientOf, handlers, kept, log } = worker
  const { bulk_action_id: id, company_ids } = job.data
  const ended = new AbortController()
  const stayAlive = () => {
    queue.keepAlive(job).catch(() => {})
    hasEnded(clientOf, id).then(
      (isOver) => isOver && ended.abort(),
      () => {},
    )
  }
  const heartbeat = setInterval(stayAlive, (HEARTBEAT_SECONDS / 3) * 1000)
  const progress = {
    stopped: AbortSignal.any([worker.stopped, ended.signal]),
    onRetry: teller(clientOf, id, log),
  }
  const ask: Ask = (question) => withRetries(async () => question(await clientOf()), progress)
  try {
    const querystring = { company_ids: company_ids.join(',') }
    const { data: work } = await ask((client) => client.getBulkActionWork({ params: { id }, querystring }))
    await processBatch({ id, handlers, kept, ask, progress }, work)
    await queue.complete(job)
  } catch (error) {
    if (ended.signal.aborted) return await queue.complete(job)
    if (worker.stopped.aborted) return await queue.postpone(job, 0)
    const message = tellable(error)
    const isOver = !(error instanceof PostponedWork) && job.failures >= MAX_FAILURES
    if (!isOver) progress.onRetry(message)
    if (error instanceof PostponedWork) return await queue.postpone(job, POSTPONED_SECONDS)
    log.warn({ err: error, bulk_action_id: id }, `a batch failed${isOver ? '' : '; it will be tried again'}`)
    if (!isOver) return await queue.fail(job, message)
    await reportResults({ id, kept, ask }, failed(company_ids, 'unavailable', message))
    await queue.complete(job)
  } finally {
    clearInterval(heartbeat)
  }
}

/** Whether an action has been cancelled, or is over otherwise, while a batch of it is being worked on. */
async function hasEnded(clientOf: () => Promise<Client>, id: string): Promise<boolean> {
  return isOver((await (await clientOf()).getBulkAction({ params: { id } })).data)
}

/** Says on the action, and in the log, what it waits for: each thing once. */
function teller(clientOf: () => Promise<Client>, id: string, log: Logger): (reason: string) => void {
  let told = ''
  return (reason) => {
    if (reason === told) return
    told = reason
    log.warn({ bulk_action_id: id }, `the worker waits: ${reason}`)
    const waiting_for = cut(
      reason.replace(/; try again later\.$/, '; the worker asks again by itself.'),
      2000,
    )
    clientOf()
      .then((client) => client.postBulkActionResults({ params: { id }, body: { results: [], waiting_for } }))
      .catch(() => {})
  }
}

/** What may be shown of an error: other messages may name what is nobody's business. */
const tellable = (error: unknown): string =>
  [ApiError, ServiceUnreachable, EndpointFailure, PostponedWork, WorkError].some(
    (kind) => error instanceof kind,
  )
    ? cut((error as Error).message, 2000)
    : 'The worker failed at it; its log says why.'

/**
 * Asks the service, and while it cannot be asked waits for it: that is not the batch's fault.
 * @throws PostponedWork when something that only some of the work depends on is not back soon
 */
async function withRetries<T>(ask: () => Promise<T>, { stopped, onRetry }: Progress): Promise<T> {
  for (let waits = 1; ; waits++)
    try {
      return await ask()
    } catch (error) {
      if (stopped.aborted) throw error
      if (error instanceof DependencyUnavailable) {
        if (waits > MAX_WAITS) throw new PostponedWork(error.message)
      } else if (!WAITED_FOR.some((kind) => error instanceof kind)) throw error
      onRetry((error as Error).message)
      await sleep(FAILURE_BACKOFF_MS, undefined, { signal: stopped }).catch(() => {})
    }
}
