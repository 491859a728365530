import { setTimeout as sleep } from 'node:timers/promises'
import { APICallError } from 'ai'
import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel'
import {
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
const INITIAL_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 30_000
/** A longer `Retry-After` is shortened to this. */
const MAX_RETRY_AFTER_MS = 300_000
/** Callers that would have to wait longer fail instead, so that they can do other work. */
const MAX_WAIT_MS = 5000
/** After this many failures, while others succeed, a question is considered the cause; a timeout counts twice. */
const MAX_OWN_FAILURES = 4

export interface Endpoint {
  name: EndpointName
  /** Sends a question that is known to be valid. */
  probe: (stopped: AbortSignal) => Promise<unknown>
  initialBackoffMs: number | undefined
}

/**
 * Asks a question and retries while the endpoint fails, until either the endpoint or the question turns out to be the
 * cause.
 * @throws CallFailed if the question is the cause
 * @throws EndpointRejection if the endpoint rejects every question
 * @throws EndpointFailure if the endpoint fails on every question, cannot be reached for a minute, or asks for a longer
 *   pause
 */
export type WithRetries = <T>(asking: RetryOptions, ask: () => Promise<T>) => Promise<T>

/** All questions share the pauses, so that each does not have to find out for itself that the endpoint fails. */
export function createRetries({ name, probe, initialBackoffMs = INITIAL_BACKOFF_MS }: Endpoint): WithRetries {
  let lastAnswer = 0
  let pausedUntil = 0
  const after = (failures: number) => initialBackoffMs * 2 ** (failures - 1)
  const circuit = circuitBreaker(handleWhen(isUnreachable), {
    breaker: new ConsecutiveBreaker(1),
    halfOpenAfter: new DelegateBackoff(({ attempt, result }: IHalfOpenAfterBackoffContext) => {
      const requested = 'error' in result ? requestedDelay(result.error) : undefined
      const own = Math.min(MAX_BACKOFF_MS, after(attempt))
      const pause = Math.max(own, Math.min(MAX_RETRY_AFTER_MS, requested ?? 0))
      pausedUntil = Date.now() + pause
      return pause
    }),
  })

  /** Finds out whether the question or the endpoint is the cause, and returns the error for it. */
  const giveUp = async (error: unknown, requestedAt: number, stopped: AbortSignal): Promise<Error> => {
    let outage: unknown
    if (lastAnswer <= requestedAt)
      try {
        await probe(stopped)
        lastAnswer = Date.now()
      } catch (reason) {
        stopped.throwIfAborted()
        outage = reason
      }
    if (isRefusal(error) && isRefusal(outage))
      return new EndpointRejection(`${reasonOf(error, name)} It rejects every question.`)
    if (outage) return failureOf(outage, name)
    return isRefusal(error)
      ? new CallFailed('refused', reasonOf(error, name))
      : new CallFailed('model_error', failureOf(error, name).message)
  }

  return async ({ stopped, onRetry }, ask) => {
    const pause = (milliseconds: number) => sleep(Math.max(0, milliseconds), undefined, { signal: stopped })
    let ownFailures = 0
    let downSince: number | undefined
    for (;;) {
      const requestedAt = Date.now()
      try {
        const answer = await circuit.execute(ask)
        lastAnswer = Date.now()
        return answer
      } catch (error) {
        stopped.throwIfAborted()
        if (error instanceof BrokenCircuitError || isUnreachable(error)) {
          const failure = failureOf((circuit.lastFailure as { error: Error }).error, name)
          downSince ??= Date.now()
          if (pausedUntil - Date.now() > MAX_WAIT_MS || Date.now() - downSince > MAX_OUTAGE_MS) throw failure
          onRetry(failure.message)
          await pause(pausedUntil - Date.now())
        } else {
          ownFailures += weightOf(error, name)
          if (ownFailures >= MAX_OWN_FAILURES) throw await giveUp(error, requestedAt, stopped)
          await pause(after(ownFailures))
        }
      }
    }
  }
}

/** The endpoint returned an outage status or no status at all. */
const isUnreachable = (error: unknown): boolean => {
  const last = lastOf(error)
  return isEndpointError(error) || (APICallError.isInstance(last) && last.statusCode === undefined)
}

const weightOf = (error: unknown, name: EndpointName): number => {
  if (isRefusal(error) || isTooLarge(error)) return MAX_OWN_FAILURES
  return failureOf(error, name) instanceof EndpointTimeout ? MAX_OWN_FAILURES / 2 : 1
}
