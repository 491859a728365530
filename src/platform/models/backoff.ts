import { setTimeout as sleep } from 'node:timers/promises'
import { APICallError } from 'ai'
import {
  askedPause,
  EndpointFailure,
  type EndpointName,
  EndpointTimeout,
  failureOf,
  isRefusal,
  isTheEndpoint,
  lastOf,
  reasonOf,
} from './endpoint-faults.ts'

export interface Asking {
  stopped: AbortSignal
  /** Told, each time, why the endpoint cannot be asked now. */
  onWait: (reason: string) => void
}

/** The question cannot be answered, where another could. */
export class OwnFault extends Error {
  readonly kind: 'refused' | 'model_error'

  constructor(kind: OwnFault['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

const PATIENCE_MS = 60_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** An endpoint that asks for more is asked again nevertheless. */
const LONGEST_ASKED_PAUSE_MS = 300_000
/** Whoever would have to wait longer gives way to other work. */
const LONGEST_TURN_MS = 5000
/** So often a question fails, while others are answered, until it is taken to be its own fault; a timeout counts twice. */
const MOST_OWN_FAILURES = 4

/** When the endpoint may be asked again: one for all questions, or each of them would find out for itself. */
export class Pace {
  lastAnswer = 0
  #notBefore = 0
  #failures = 0
  #lastFailure = 0
  #failure: EndpointFailure | undefined

  /** @throws EndpointFailure when it takes too long to wait for */
  async turn({ stopped, onWait }: Asking): Promise<void> {
    for (let wait = this.#notBefore - Date.now(); wait > 0; wait = this.#notBefore - Date.now()) {
      if (wait > LONGEST_TURN_MS && this.#failure) throw this.#failure
      if (this.#failure) onWait(this.#failure.message)
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
    const own = Math.min(LONGEST_PAUSE_MS, pauseAfter(this.#failures))
    this.#failure = failure
    this.#notBefore = Math.max(
      this.#notBefore,
      Date.now() + Math.max(own, Math.min(LONGEST_ASKED_PAUSE_MS, asked)),
    )
  }
}

const pauseAfter = (failures: number): number => FIRST_PAUSE_MS * 2 ** (failures - 1)

export interface Endpoint {
  name: EndpointName
  pace: Pace
  /** Asks what nothing can be wrong with. */
  probe: (stopped: AbortSignal) => Promise<void>
}

/**
 * Asks, and when the endpoint fails asks again, until it is clear that it is of no use or the question is.
 * @throws OwnFault
 * @throws EndpointFailure when it has been out of reach for a minute, or wants to be left alone for longer
 */
export async function patiently<T>(endpoint: Endpoint, asking: Asking, ask: () => Promise<T>): Promise<T> {
  const { pace } = endpoint
  const { stopped, onWait } = asking
  let ownFailures = 0
  let downSince: number | undefined
  for (;;) {
    await pace.turn(asking)
    const askedAt = Date.now()
    try {
      const given = await ask()
      pace.answered()
      return given
    } catch (error) {
      stopped.throwIfAborted()
      const failure = isRefusal(error)
        ? new EndpointFailure(`${reasonOf(error, endpoint.name)} It says so of every question.`)
        : failureOf(error, endpoint.name)
      if (!isOutOfReach(error)) {
        ownFailures += isRefusal(error) ? MOST_OWN_FAILURES : isTimeout(failure) ? MOST_OWN_FAILURES / 2 : 1
        if (ownFailures < MOST_OWN_FAILURES) {
          await sleep(pauseAfter(ownFailures), undefined, { signal: stopped })
          continue
        }
        const since = isRefusal(error) ? Date.now() - PATIENCE_MS : askedAt
        if (await isUp(endpoint, since, stopped)) throw ownFault(error, failure, endpoint.name)
      }
      downSince ??= Date.now()
      pace.failed(failure, askedAt, askedPause(error))
      if (Date.now() - downSince > PATIENCE_MS) throw failure
      onWait(failure.message)
    }
  }
}

const ownFault = (error: unknown, failure: EndpointFailure, name: EndpointName): OwnFault =>
  isRefusal(error)
    ? new OwnFault('refused', reasonOf(error, name))
    : new OwnFault('model_error', failure.message)

/** A status that says so, or none at all. */
const isOutOfReach = (error: unknown): boolean => {
  const last = lastOf(error)
  return isTheEndpoint(error) || (APICallError.isInstance(last) && last.statusCode === undefined)
}

const isTimeout = (failure: EndpointFailure): boolean => failure instanceof EndpointTimeout

/** Whether the endpoint answers others, or would. */
async function isUp({ pace, probe }: Endpoint, since: number, stopped: AbortSignal): Promise<boolean> {
  if (pace.lastAnswer > since) return true
  return probe(stopped).then(
    () => true,
    () => {
      stopped.throwIfAborted()
      return false
    },
  )
}
