import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BulkActionJob, type Client, createClient, type Result, type Work } from '#src/client/client.ts'
import {
  DependencyUnavailable,
  NotAllowed,
  NotSignedIn,
  ServiceUnreachable,
  TooManyRequests,
} from '#src/client/errors.ts'
import { signWorkerToken } from '#src/platform/identity.ts'
import { HEARTBEAT_SECONDS, type Queue, type QueuedJob } from '#src/platform/queue.ts'
import type { Sessions } from '#src/platform/session.ts'

type BulkAction = Awaited<ReturnType<Client['getBulkAction']>>['data']

export interface Progress {
  stopped: AbortSignal
  /** Told why the work cannot go on now; it goes on by itself. */
  onWait: (reason: string) => void
}

/**
 * Does the work of one kind of action, and gives results as they come. What it throws fails what is left of the batch,
 * which is tried again later.
 */
export type Handler = (work: Work, progress: Progress) => AsyncIterable<Result[]>

export interface WorkerParts {
  /** Where the service is. */
  baseUrl: string
  sessions: Sessions
  queue: Queue<BulkActionJob>
  handlers: Partial<Record<Work['action_type'], Handler>>
  /** How many batches it works on at a time. */
  concurrency: number
  log: Logger
}

/** What rules write in place of a model is marked by. */
export const BUILTIN_MODEL = 'builtin-heuristic'

const LOOK_EVERY_MS = 1000
/** After so many tries, in about ten minutes, a batch is given up. */
const MOST_FAILURES = 12
const AFTER_A_FAILURE_MS = 2000
const TOKEN_SECONDS = 3600
/** Faults that somebody mends at the service, or at the worker's settings. */
const WAITED_FOR = [ServiceUnreachable, DependencyUnavailable, NotSignedIn, NotAllowed, TooManyRequests]

/**
 * Takes jobs from the queue and hands in what has come of them through the HTTP API.
 * @returns stops it: batches that it is at are given back to the queue
 */
export function startWorker(parts: WorkerParts): () => Promise<void> {
  const stop = new AbortController()
  const clientOf = freshClient(parts)
  const loops = Array.from({ length: parts.concurrency }, () => loop(parts, clientOf, stop.signal))
  return async () => {
    stop.abort()
    await Promise.all(loops)
  }
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

async function loop(
  parts: WorkerParts,
  clientOf: () => Promise<Client>,
  stopped: AbortSignal,
): Promise<void> {
  let isFailing = false
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: stopped }).catch(() => {})
  while (!stopped.aborted) {
    try {
      await parts.queue.start()
      const job = await parts.queue.fetch()
      if (job) await workOn(parts, clientOf, job, stopped)
      else await pause(LOOK_EVERY_MS)
      isFailing = false
    } catch (error) {
      if (!isFailing && !stopped.aborted)
        parts.log.warn({ err: error }, 'the worker could not work; it will try again')
      isFailing = true
      await pause(AFTER_A_FAILURE_MS)
    }
  }
}

async function workOn(
  parts: WorkerParts,
  clientOf: () => Promise<Client>,
  job: QueuedJob<BulkActionJob>,
  stopped: AbortSignal,
): Promise<void> {
  const { queue, log } = parts
  const { bulk_action_id: id, company_ids } = job.data
  const heartbeat = setInterval(() => queue.keepAlive(job).catch(() => {}), (HEARTBEAT_SECONDS / 3) * 1000)
  let told = ''
  const onWait = (reason: string) => {
    if (reason === told) return
    told = reason
    log.warn({ bulk_action_id: id }, `the worker waits: ${reason}`)
    clientOf()
      .then((client) => client.updateBulkAction({ params: { id }, body: { waiting_for: reason } }))
      .catch(() => {})
  }
  const ask = <T>(question: (client: Client) => Promise<T>) =>
    patiently(async () => question(await clientOf()), { stopped, onWait })
  const handIn = async (results: Result[]) => {
    const { data } = await ask((client) =>
      client.postBulkActionResults({ params: { id }, body: { results } }),
    )
    told = ''
    return data
  }
  try {
    const querystring = { company_ids: company_ids.join(',') }
    const { data: work } = await ask((client) => client.getBulkActionWork({ params: { id }, querystring }))
    await carryOut(parts, work, { stopped, onWait }, handIn)
    await queue.complete(job)
  } catch (error) {
    const message = (error as Error).message.slice(0, 2000) || 'It failed.'
    const isOver = !stopped.aborted && job.failures >= MOST_FAILURES
    if (!stopped.aborted)
      log.warn(
        { err: error, bulk_action_id: id },
        `a batch failed${isOver ? '' : '; it will be tried again'}`,
      )
    if (!stopped.aborted && !isOver) onWait(message)
    if (!isOver) return await queue.fail(job, message)
    await handIn(failed(company_ids, 'unavailable', message))
    await queue.complete(job)
  } finally {
    clearInterval(heartbeat)
  }
}

/** Does what is to be done, as long as the action goes on and its budget lasts. */
async function carryOut(
  { handlers }: WorkerParts,
  work: Work,
  progress: Progress,
  handIn: (results: Result[]) => Promise<BulkAction>,
): Promise<void> {
  const left = new Set(work.company_ids)
  if (left.size === 0) return
  if (work.is_over_budget) return void (await handIn(failed([...left], 'over_budget', OVER_BUDGET)))
  const handler = handlers[work.action_type]
  if (!handler)
    throw new Error(`This worker cannot do ${work.action_type}; give it the settings of the service.`)
  for await (const results of handler(work, progress)) {
    const action = await handIn(results)
    for (const { company_id } of results) left.delete(company_id)
    if (action.completed_at !== null) return
    if (left.size > 0 && isOverBudget(action))
      return void (await handIn(failed([...left], 'over_budget', OVER_BUDGET)))
  }
}

const OVER_BUDGET =
  'The token budget of the action had been used up; give it more (PATCH token_budget), and retry.'

const isOverBudget = ({ usage, token_budget }: BulkAction): boolean =>
  token_budget !== null && usage.input_tokens + usage.output_tokens >= token_budget

const failed = (company_ids: string[], kind: string, message: string): Result[] =>
  company_ids.map((company_id) => ({ company_id, error: { kind, message } }))

/** Asks the service, and while it cannot be asked waits for it: that is not the batch's fault. */
async function patiently<T>(ask: () => Promise<T>, { stopped, onWait }: Progress): Promise<T> {
  for (;;)
    try {
      return await ask()
    } catch (error) {
      if (stopped.aborted || !WAITED_FOR.some((kind) => error instanceof kind)) throw error
      onWait((error as Error).message)
      await sleep(AFTER_A_FAILURE_MS, undefined, { signal: stopped }).catch(() => {})
    }
}
