import { setTimeout as sleep } from 'node:timers/promises'
import { APICallError } from 'ai'
import {
  type EndpointFailure,
  type EndpointName,
  EndpointRejection,
  EndpointTimeout,
  failureOf,
  isEndpointError,
  isRefusal,
  isTooLarge,
  lastOf,
  reasonOf,
  requestedDelay,
} from '#src/platform/model-endpoint/endpoint-errors.ts'
import type { TokenUsage } from './token-usage.ts'

export interface RetryOptions {
  stopped: AbortSignal
  /** Called with the reason each time the endpoint cannot be called now. */
  onRetry: (reason: string) => void
  /** Called with the cost of a question that stays open because the endpoint fails: it has been paid for. */
  onSpent?: (usage: TokenUsage) => void
}

/** This question failed, but others may succeed. */
export class CallFailed extends Error {
  readonly kind: 'refused' | 'model_error'

  constructor(kind: CallFailed['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

const MAX_OUTAGE_MS = 60_000
export const INITIAL_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 30_000
/** A longer `Retry-After` is shortened to this. */
const MAX_RETRY_AFTER_MS = 300_000
/** Callers that would have to wait longer fail instead, so that they can do other work. */
const MAX_TURN_WAIT_MS = 5000
/** After this many failures, while others succeed, a question is considered the cause; a timeout counts twice. */
const MAX_OWN_FAILURES = 4

/**
 * When the endpoint may be called again. It is shared by all questions, so each does not have to find out for itself.
 */
export class Backoff {
  lastAnswer = 0
  readonly #initialMs: number
  #notBefore = 0
  #failures = 0
  #lastFailure = 0
  #failure: EndpointFailure | undefined

  constructor(initialMs: number) {
    this.#initialMs = initialMs
  }

  /** How long to wait after this many failures in a row. */
  after(failures: number): number {
    return this.#initialMs * 2 ** (failures - 1)
  }

  /**
   * Waits until the endpoint may be called.
   * @throws EndpointFailure if the wait would be too long
   */
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

  /** @param requestedAt when the request was sent: concurrent requests fail together and count once */
  failed(failure: EndpointFailure, requestedAt: number, requested = 0): void {
    if (requestedAt >= this.#lastFailure) {
      this.#failures += 1
      this.#lastFailure = Date.now()
    }
    const own = Math.min(MAX_BACKOFF_MS, this.after(this.#failures))
    this.#failure = failure
    this.#notBefore = Math.max(
      this.#notBefore,
      Date.now() + Math.max(own, Math.min(MAX_RETRY_AFTER_MS, requested)),
    )
  }
}

export interface Endpoint {
  name: EndpointName
  backoff: Backoff
  /** Sends a question that is known to be valid. */
  probe: (stopped: AbortSignal) => Promise<void>
}

/**
 * Asks a question and retries while the endpoint fails, until either the endpoint or the question turns out to be the
 * cause.
 * @throws CallFailed if the question is the cause
 * @throws EndpointRejection if the endpoint rejects every question
 * @throws EndpointFailure if the endpoint has been unreachable for a minute or asks for a longer pause
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
    const requestedAt = Date.now()
    try {
      const answer = await ask()
      backoff.answered()
      return answer
    } catch (error) {
      stopped.throwIfAborted()
      const failure = failureOf(error, endpoint.name)
      if (!isUnreachable(error)) {
        const isFinal = isRefusal(error) || isTooLarge(error)
        ownFailures += isFinal ? MAX_OWN_FAILURES : isTimeout(failure) ? MAX_OWN_FAILURES / 2 : 1
        if (ownFailures < MAX_OWN_FAILURES) {
          await sleep(backoff.after(ownFailures), undefined, { signal: stopped })
          continue
        }
        const outage = await outageSince(endpoint, requestedAt, stopped)
        if (!outage) throw callFailed(error, failure, endpoint.name)
        if (isRefusal(error) && isRefusal(outage))
          throw new EndpointRejection(`${reasonOf(error, endpoint.name)} It rejects every question.`)
      }
      downSince ??= Date.now()
      backoff.failed(failure, requestedAt, requestedDelay(error))
      if (Date.now() - downSince > MAX_OUTAGE_MS) throw failure
      onRetry(failure.message)
    }
  }
}

const callFailed = (error: unknown, failure: EndpointFailure, name: EndpointName): CallFailed =>
  isRefusal(error)
    ? new CallFailed('refused', reasonOf(error, name))
    : new CallFailed('model_error', failure.message)

/** The endpoint returned an outage status or no status at all. */
const isUnreachable = (error: unknown): boolean => {
  const last = lastOf(error)
  return isEndpointError(error) || (APICallError.isInstance(last) && last.statusCode === undefined)
}

const isTimeout = (failure: EndpointFailure): boolean => failure instanceof EndpointTimeout

/** Why the endpoint does not answer other questions; undefined if it does. */
async function outageSince(
  { backoff, probe }: Endpoint,
  since: number,
  stopped: AbortSignal,
): Promise<unknown> {
  if (backoff.lastAnswer > since) return undefined
  try {
    await probe(stopped)
    return undefined
  } catch (error) {
    stopped.throwIfAborted()
    return error
  }
}
