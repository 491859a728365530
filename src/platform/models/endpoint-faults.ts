import { APICallError, RetryError } from 'ai'
import { retryAfter } from '#src/platform/network/retry-after.ts'

/**
 * How messages name an endpoint, such as `The embedding endpoint`, and the prefix of its settings, such as
 * `EMBEDDINGS`.
 */
export interface EndpointName {
  name: string
  settings: string
}

/** The endpoint cannot be used now, whatever the text. The message is a full sentence without secrets. */
export class EndpointFailure extends Error {}

/** The request was too large or the timeout too short. */
export class EndpointTimeout extends EndpointFailure {}

export const wrongLength = (model: string, length: number, expected: number): EndpointFailure =>
  new EndpointFailure(
    `The embedding model ${model} returns vectors with ${length} dimensions instead of ${expected}; set ` +
      `EMBEDDINGS_DIMENSIONS to ${length} to embed everything again.`,
  )

/** The error of the last attempt. */
export const lastOf = (error: unknown): unknown => (RetryError.isInstance(error) ? error.lastError : error)

const statusOf = (error: unknown): number | undefined => {
  const last = lastOf(error)
  return APICallError.isInstance(last) ? last.statusCode : undefined
}

/** Statuses for a wrong key, an unknown model, a rate limit or an outage. */
const ENDPOINT_STATUSES = [401, 403, 404, 408, 429, 502, 503, 504]

/** Whether the endpoint fails independently of the text. */
export const isEndpointError = (error: unknown): boolean => ENDPOINT_STATUSES.includes(statusOf(error) ?? 0)

/** Whether other texts might succeed. */
export function isInputError(error: unknown): boolean {
  if (error instanceof EndpointFailure || isAbort(lastOf(error))) return false
  return !isEndpointError(error)
}

export const isRefusal = (error: unknown): boolean => [400, 413, 422].includes(statusOf(error) ?? 0)

/** Why the endpoint returned nothing for a text. */
export function reasonOf(error: unknown, { name }: EndpointName): string {
  const status = statusOf(error)
  const message = (lastOf(error) as Error).message.slice(0, 200).toWellFormed()
  if (isRefusal(error)) return `${name} rejected the text (${status}: ${message}).`
  if (status !== undefined && status >= 500) return `${name} failed on the text (${status}: ${message}).`
  return `${name} returned an unreadable response for the text.`
}

/** The delay that the endpoint asks for, in milliseconds (`retry-after-ms`, else `Retry-After`), if any. */
export function requestedDelay(error: unknown): number | undefined {
  const last = lastOf(error)
  const headers = APICallError.isInstance(last) ? (last.responseHeaders ?? {}) : {}
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (milliseconds >= 0) return milliseconds
  return retryAfter(headers['retry-after'])
}

const isAbort = (error: unknown): boolean => ['TimeoutError', 'AbortError'].includes((error as Error).name)

/** Converts an error into an endpoint failure that says what to check. */
export function failureOf(error: unknown, of: EndpointName): EndpointFailure {
  if (error instanceof EndpointFailure) return error
  const last = lastOf(error)
  if (isAbort(last))
    return new EndpointTimeout(
      `${of.name} did not answer in time; check the server and ${of.settings}_BASE_URL.`,
      {
        cause: last,
      },
    )
  if (!APICallError.isInstance(last))
    return new EndpointFailure(`${of.name} returned an unexpected response.`, { cause: last })
  return new EndpointFailure(explain(last.statusCode, of), { cause: last })
}

function explain(status: number | undefined, { name, settings }: EndpointName): string {
  if (status === undefined) return `${name} cannot be reached; check the server and ${settings}_BASE_URL.`
  if (status === 401 || status === 403)
    return `${name} rejects the API key (${status}); check ${settings}_API_KEY.`
  if (status === 404)
    return `${name} has no such model or path (404); check ${settings}_MODEL and ${settings}_BASE_URL.`
  if (status === 429) return `${name} is rate limited (429); try again later.`
  if (status === 200)
    return `${name} returned an unreadable response; if this persists, check ${settings}_BASE_URL.`
  return `${name} failed (${status}); try again later.`
}
