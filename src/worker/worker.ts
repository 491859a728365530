import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BulkActionJob, type Client, createClient, type Result, type Work } from '#src/client/client.ts'
import {
  ApiError,
  DependencyUnavailable,
  InvalidRequest,
  NotAllowed,
  NotSignedIn,
  ServiceUnreachable,
  TooManyRequests,
} from '#src/client/errors.ts'
import { EndpointFailure } from '#src/platform/endpoint-faults.ts'
import { signWorkerToken } from '#src/platform/identity.ts'
import { HEARTBEAT_SECONDS, type Queue, type QueuedJob } from '#src/platform/queue.ts'
import type { Sessions } from '#src/platform/session.ts'
import { cut } from './material.ts'
import type { BulkQueues } from './queues.ts'

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
  queues: BulkQueues
  handlers: Partial<Record<Work['action_type'], Handler>>
  /** How many batches it works on at a time, of each queue. */
  concurrency: number
  log: Logger
}

/** The work cannot go on now, and that is not the batch's fault: somebody else's is done meanwhile. */
export class Postponed extends Error {}

/** A fault that whoever has started the action may be told of. */
export class WorkFault extends Error {}

const LOOK_EVERY_MS = 1000
/** After so many tries, in about ten minutes, a batch is given up. */
const MOST_FAILURES = 12
const AFTER_A_FAILURE_MS = 2000
const TOKEN_SECONDS = 3600
/** Faults that somebody mends at the service, or at the worker's settings. */
const WAITED_FOR = [ServiceUnreachable, NotSignedIn, NotAllowed, TooManyRequests]
/** So often something that the service depends on is waited for, until other work gets its turn. */
const MOST_WAITS = 4
const POSTPONED_SECONDS = 10
/** Results that could not be handed in: they are not made again when their batch comes back. */
const MOST_KEPT = 1000

/**
 * Takes jobs from the queue and hands in what has come of them through the HTTP API.
 * @returns stops it: batches that it is at are given back to the queue
 */
export function startWorker(parts: WorkerParts): () => Promise<void> {
  const stop = new AbortController()
  const clientOf = freshClient(parts)
  const kept: KeptResults = new Map()
  const queues = [...new Set(Object.values(parts.queues))]
  const loops = queues.flatMap((queue) =>
    Array.from({ length: parts.concurrency }, () => loop(parts, queue, clientOf, kept, stop.signal)),
  )
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
  queue: Queue<BulkActionJob>,
  clientOf: () => Promise<Client>,
  kept: KeptResults,
  stopped: AbortSignal,
): Promise<void> {
  let isFailing = false
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: stopped }).catch(() => {})
  while (!stopped.aborted) {
    try {
      await queue.start()
      const job = await queue.fetch()
      if (job) await workOn(parts, queue, clientOf, kept, job, stopped)
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

type KeptResults = Map<string, Result>

async function workOn(
  parts: WorkerParts,
  queue: Queue<BulkActionJob>,
  clientOf: () => Promise<Client>,
  kept: KeptResults,
  job: QueuedJob<BulkActionJob>,
  stopped: AbortSignal,
): Promise<void> {
  const { log } = parts
  const { bulk_action_id: id, company_ids } = job.data
  const ended = new AbortController()
  const heartbeat = setInterval(
    () => {
      queue.keepAlive(job).catch(() => {})
      hasEnded(clientOf, id).then(
        (isOver) => isOver && ended.abort(),
        () => {},
      )
    },
    (HEARTBEAT_SECONDS / 3) * 1000,
  )
  const progress = { stopped: AbortSignal.any([stopped, ended.signal]), onWait: teller(clientOf, id, log) }
  const ask = <T>(question: (client: Client) => Promise<T>) =>
    patiently(async () => question(await clientOf()), progress)
  const handIn = (results: Result[]) => handInOf(ask, kept, id, results)
  try {
    const querystring = { company_ids: company_ids.join(',') }
    const { data: work } = await ask((client) => client.getBulkActionWork({ params: { id }, querystring }))
    await carryOut(parts, kept, id, work, progress, handIn)
    await queue.complete(job)
  } catch (error) {
    if (ended.signal.aborted) return await queue.complete(job)
    if (stopped.aborted) return await queue.postpone(job, 0)
    if (error instanceof Postponed) {
      progress.onWait(error.message)
      return await queue.postpone(job, POSTPONED_SECONDS)
    }
    const isOver = job.failures >= MOST_FAILURES
    log.warn({ err: error, bulk_action_id: id }, `a batch failed${isOver ? '' : '; it will be tried again'}`)
    const message = tellable(error)
    if (!isOver) {
      progress.onWait(message)
      return await queue.fail(job, message)
    }
    await handIn(failed(company_ids, 'unavailable', message))
    await queue.complete(job)
  } finally {
    clearInterval(heartbeat)
  }
}

/** Whether an action has been cancelled, or ended otherwise, while a batch of it is being worked on. */
async function hasEnded(clientOf: () => Promise<Client>, id: string): Promise<boolean> {
  const { data } = await (await clientOf()).getBulkAction({ params: { id } })
  return data.completed_at !== null
}

/** Says on the action, and in the log, what it waits for: each thing once. */
function teller(clientOf: () => Promise<Client>, id: string, log: Logger): (reason: string) => void {
  let told = ''
  return (reason) => {
    if (reason === told) return
    told = reason
    log.warn({ bulk_action_id: id }, `the worker waits: ${reason}`)
    clientOf()
      .then((client) =>
        client.updateBulkAction({
          params: { id },
          body: {
            waiting_for: cut(
              reason.replace(/; try again later\.$/, '; the worker asks again by itself.'),
              2000,
            ),
          },
        }),
      )
      .catch(() => {})
  }
}

/** What may be shown of an error: other messages may name what is nobody's business. */
const tellable = (error: unknown): string =>
  [ApiError, ServiceUnreachable, EndpointFailure, WorkFault].some((kind) => error instanceof kind)
    ? cut((error as Error).message, 2000)
    : 'The worker failed at it; its log says why.'

type Ask = <T>(question: (client: Client) => Promise<T>) => Promise<T>

/** Hands results in. Those that the service refuses as they are fail; those that it cannot take now are kept. */
async function handInOf(ask: Ask, kept: KeptResults, id: string, results: Result[]): Promise<BulkAction> {
  const post = (posted: Result[]) =>
    ask((client) => client.postBulkActionResults({ params: { id }, body: { results: posted } }))
  try {
    return (await post(results)).data
  } catch (error) {
    if (error instanceof InvalidRequest) {
      const message = `What was made of it was refused: ${error.details}`
      const company_ids = results.map(({ company_id }) => company_id)
      return (await post(failed(company_ids, 'malformed', cut(message, 2000)))).data
    }
    if (error instanceof Postponed)
      for (const result of results) if (kept.size < MOST_KEPT) kept.set(`${id} ${result.company_id}`, result)
    throw error
  }
}

/** Does what is to be done, as long as the action goes on and its budget lasts. */
async function carryOut(
  { handlers }: WorkerParts,
  kept: KeptResults,
  id: string,
  work: Work,
  progress: Progress,
  handIn: (results: Result[]) => Promise<BulkAction>,
): Promise<void> {
  const left = new Set(work.company_ids)
  const settle = async (results: Result[]): Promise<BulkAction> => {
    const action = await handIn(results)
    for (const { company_id } of results) {
      left.delete(company_id)
      kept.delete(`${id} ${company_id}`)
    }
    return action
  }
  if (left.size === 0) return
  const made = work.company_ids.flatMap((company_id) => kept.get(`${id} ${company_id}`) ?? [])
  if (made.length > 0) await settle(made)
  const handler = handlers[work.action_type]
  if (!handler)
    throw new Postponed(`A worker with other settings than the service cannot do ${work.action_type}.`)
  let { is_over_budget } = work
  for await (const results of handler(restOf(work, left), progress)) {
    const action = await settle(results)
    if (action.completed_at !== null) return
    is_over_budget = isOverBudget(action)
    if (is_over_budget) break
  }
  if (left.size > 0 && is_over_budget) await settle(failed([...left], 'over_budget', OVER_BUDGET))
}

/** The work without the companies that are dealt with already. */
function restOf(work: Work, left: ReadonlySet<string>): Work {
  const rest = <T extends { companies: { company_id: string }[] }>(part: T | undefined): T | undefined =>
    part && { ...part, companies: part.companies.filter(({ company_id }) => left.has(company_id)) }
  const { embedding, scoring, enrichment, ...common } = work
  return {
    ...common,
    ...defined({ embedding: rest(embedding), scoring: rest(scoring), enrichment: rest(enrichment) }),
  }
}

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

const OVER_BUDGET =
  'The token budget of the action had been used up; give it more (PATCH token_budget), and retry.'

const isOverBudget = ({ usage, token_budget }: BulkAction): boolean =>
  token_budget !== null && usage.input_tokens + usage.output_tokens >= token_budget

const failed = (company_ids: string[], kind: string, message: string): Result[] =>
  company_ids.map((company_id) => ({ company_id, error: { kind, message } }))

/**
 * Asks the service, and while it cannot be asked waits for it: that is not the batch's fault.
 * @throws Postponed when something that only some of the work depends on is not back soon
 */
async function patiently<T>(ask: () => Promise<T>, { stopped, onWait }: Progress): Promise<T> {
  for (let waits = 1; ; waits++)
    try {
      return await ask()
    } catch (error) {
      if (stopped.aborted) throw error
      if (error instanceof DependencyUnavailable) {
        if (waits > MOST_WAITS) throw new Postponed(error.message)
      } else if (!WAITED_FOR.some((kind) => error instanceof kind)) throw error
      onWait((error as Error).message)
      await sleep(AFTER_A_FAILURE_MS, undefined, { signal: stopped }).catch(() => {})
    }
}
