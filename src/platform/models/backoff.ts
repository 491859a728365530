import { setTimeout as sleep } from 'node:timers/promises'
import { APICallError } from 'ai'
import {
  askedPause,
  EndpointFailure,
  type EndpointName,
  EndpointTimeout,
  failureOf,
  isEndpointFault,
  isRefusal,
  lastOf,
  reasonOf,
} from './endpoint-faults.ts'

export interface RetryOptions {
  stopped: AbortSignal
  /** Told, each time, why the endpoint cannot be asked now. */
  onRetry: (reason: string) => void
}

/** The question cannot be answered, where another could. */
export class CallFailed extends Error {
  readonly kind: 'refused' | 'model_error'

  constructor(kind: CallFailed['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

const CHECK_TIMEOUT_MS = 60_000
const FIRST_PAUSE_MS = 500
const MAX_BACKOFF_MS = 30_000
/** An endpoint that asks for more is asked again nevertheless. */
const MAX_RETRY_AFTER_MS = 300_000
/** Whoever would have to wait longer gives way to other work. */
const MAX_TURN_WAIT_MS = 5000
/** So often a question fails, while others are answered, until it is taken to be its own fault; a timeout counts twice. */
const MAX_OWN_FAILURES = 4

/** When the endpoint may be asked again: one for all questions, or each of them would find out for itself. */
export class Backoff {
  lastAnswer = 0
  #notBefore = 0
  #failures = 0
  #lastFailure = 0
  #failure: EndpointFailure | undefined

  /** @throws EndpointFailure when it takes too long to wait for */
  async turn({ stopped, onRetry }: RetryOptions): Promise<void> {
    for (let wait = this.#notBefore - Date.now(); wait > 0; wait = this.#notBefore - Date.now()) {
      if (wait > MAX_TURN_WAIT_MS && this.#failure) throw this.#failure
      if (this.#failure) onRetry(this.#failure.message)
      await sleep(wait, undefined, { signal: stopped })
    }
  }

  answered(): void {
    this.lastAnswer = Date.now()
    this.#failures = 0
  }

  /** @param askedAt when the question was asked: those that were asked together fail together, and count once */
  failed(failure: EndpointFailure, askedAt: number, asked = 0): void {
    if (askedAt >= this.#lastFailure) {
      this.#failures += 1
      this.#lastFailure = Date.now()
    }
    const own = Math.min(MAX_BACKOFF_MS, pauseAfter(this.#failures))
    this.#failure = failure
    this.#notBefore = Math.max(
      this.#notBefore,
      Date.now() + Math.max(own, Math.min(MAX_RETRY_AFTER_MS, asked)),
    )
  }
}

const pauseAfter = (failures: number): number => FIRST_PAUSE_MS * 2 ** (failures - 1)

export interface Endpoint {
  name: EndpointName
  backoff: Backoff
  /** Asks what nothing can be wrong with. */
  probe: (stopped: AbortSignal) => Promise<void>
}

/**
 * Asks, and when the endpoint fails asks again, until it is clear that it is of no use or the question is.
 * @throws CallFailed
 * @throws EndpointFailure when it has been out of reach for a minute, or wants to be left alone for longer
 */
export async function withRetries<T>(
  endpoint: Endpoint,
  asking: RetryOptions,
  ask: () => Promise<T>,
): Promise<T> {
  const { backoff } = endpoint
  const { stopped, onRetry } = asking
  let ownFailures = 0
  let downSince: number | undefined
  for (;;) {
    await backoff.turn(asking)
    const askedAt = Date.now()
    try {
      const given = await ask()
      backoff.answered()
      return given
    } catch (error) {
      stopped.throwIfAborted()
      const failure = isRefusal(error)
        ? new EndpointFailure(`${reasonOf(error, endpoint.name)} It says so of every question.`)
        : failureOf(error, endpoint.name)
      if (!isOutOfReach(error)) {
        ownFailures += isRefusal(error) ? MAX_OWN_FAILURES : isTimeout(failure) ? MAX_OWN_FAILURES / 2 : 1
        if (ownFailures < MAX_OWN_FAILURES) {
          await sleep(pauseAfter(ownFailures), undefined, { signal: stopped })
          continue
        }
        const since = isRefusal(error) ? Date.now() - CHECK_TIMEOUT_MS : askedAt
        if (await isUp(endpoint, since, stopped)) throw callFailed(error, failure, endpoint.name)
      }
      downSince ??= Date.now()
      backoff.failed(failure, askedAt, askedPause(error))
      if (Date.now() - downSince > CHECK_TIMEOUT_MS) throw failure
      onRetry(failure.message)
    }
  }
}

const callFailed = (error: unknown, failure: EndpointFailure, name: EndpointName): CallFailed =>
  isRefusal(error)
    ? new CallFailed('refused', reasonOf(error, name))
    : new CallFailed('model_error', failure.message)

/** A status that says so, or none at all. */
const isOutOfReach = (error: unknown): boolean => {
  const last = lastOf(error)
  return isEndpointFault(error) || (APICallError.isInstance(last) && last.statusCode === undefined)
}

const isTimeout = (failure: EndpointFailure): boolean => failure instanceof EndpointTimeout

/** Whether the endpoint answers others, or would. */
async function isUp({ backoff, probe }: Endpoint, since: number, stopped: AbortSignal): Promise<boolean> {
  if (backoff.lastAnswer > since) return true
  return probe(stopped).then(
    () => true,
    () => {
      stopped.throwIfAborted()
      return false
    },
  )
}
