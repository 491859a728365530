import { APICallError, RetryError } from 'ai'
import { retryAfter } from '#src/platform/network/retry-after.ts'

/** An endpoint as a person knows it: `The embedding endpoint`, and how its settings begin: `EMBEDDINGS`. */
export interface EndpointName {
  name: string
  settings: string
}

/** The endpoint is of no use now, whatever the text. The message is a sentence for a person that leaks nothing. */
export class EndpointFailure extends Error {}

/** It was given too much, or too little time. */
export class EndpointTimeout extends EndpointFailure {}

export const wrongLength = (model: string, length: number, expected: number): EndpointFailure =>
  new EndpointFailure(
    `The embedding model ${model} gives vectors of ${length} dimensions where ${expected} are expected; set ` +
      `EMBEDDINGS_DIMENSIONS to ${length}, and everything is embedded anew.`,
  )

/** What went wrong at the last of several tries. */
export const lastOf = (error: unknown): unknown => (RetryError.isInstance(error) ? error.lastError : error)

const statusOf = (error: unknown): number | undefined => {
  const last = lastOf(error)
  return APICallError.isInstance(last) ? last.statusCode : undefined
}

/** A wrong key, an unknown model, a server that is asked too often or is not there. */
const NOT_THE_TEXTS = [401, 403, 404, 408, 429, 502, 503, 504]

/** Whether the status says that the endpoint is of no use, whatever the text. */
export const isEndpointFault = (error: unknown): boolean => NOT_THE_TEXTS.includes(statusOf(error) ?? 0)

/** Whether other texts might fare better. */
export function isInputFault(error: unknown): boolean {
  if (error instanceof EndpointFailure || isAbort(lastOf(error))) return false
  return !isEndpointFault(error)
}

export const isRefusal = (error: unknown): boolean => [400, 413, 422].includes(statusOf(error) ?? 0)

/** Why the endpoint gave nothing for a text. */
export function reasonOf(error: unknown, { name }: EndpointName): string {
  const status = statusOf(error)
  const message = (lastOf(error) as Error).message.slice(0, 200).toWellFormed()
  if (isRefusal(error)) return `${name} refused the text (${status}: ${message}).`
  if (status !== undefined && status >= 500) return `${name} failed at the text (${status}: ${message}).`
  return `${name} gave an answer for the text that cannot be read.`
}

/**
 * How long the endpoint asks to be left alone, in milliseconds (`retry-after-ms`, else `Retry-After`); undefined: it does
 * not say.
 */
export function askedPause(error: unknown): number | undefined {
  const last = lastOf(error)
  const headers = APICallError.isInstance(last) ? (last.responseHeaders ?? {}) : {}
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (milliseconds >= 0) return milliseconds
  return retryAfter(headers['retry-after'])
}

const isAbort = (error: unknown): boolean => ['TimeoutError', 'AbortError'].includes((error as Error).name)

/** The fault as a failure of the endpoint, which says what to see to. */
export function failureOf(error: unknown, of: EndpointName): EndpointFailure {
  if (error instanceof EndpointFailure) return error
  const last = lastOf(error)
  if (isAbort(last))
    return new EndpointTimeout(
      `${of.name} did not answer in time; see to it, or to ${of.settings}_BASE_URL.`,
      {
        cause: last,
      },
    )
  if (!APICallError.isInstance(last))
    return new EndpointFailure(`${of.name} did not give what was asked for.`, { cause: last })
  return new EndpointFailure(explain(last.statusCode, of), { cause: last })
}

function explain(status: number | undefined, { name, settings }: EndpointName): string {
  if (status === undefined) return `${name} cannot be reached; see to it, or to ${settings}_BASE_URL.`
  if (status === 401 || status === 403)
    return `${name} refuses the key (${status}); set ${settings}_API_KEY to one that it takes.`
  if (status === 404)
    return `${name} has no such model or address (404); see to ${settings}_MODEL and ${settings}_BASE_URL.`
  if (status === 429) return `${name} is asked too often (429); try again later.`
  if (status === 200)
    return `${name} gave an answer that cannot be read; if it always does, see to ${settings}_BASE_URL.`
  return `${name} failed (${status}); try again later.`
}
