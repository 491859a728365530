import { APICallError, RetryError } from 'ai'
import { retryAfter } from '#src/platform/network/retry-after.ts'
import { truncate } from '#src/platform/truncate.ts'
import { AnswerTooLarge } from './limited-fetch.ts'
import { codesIn, messageIn } from './server-message.ts'

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

/** The endpoint rejects every question. It will not change its mind: waiting does not help. */
export class EndpointRejection extends EndpointFailure {}

export const wrongLength = (model: string, length: number, expected: number): EndpointFailure =>
  new EndpointFailure(
    `The embedding model ${model} returns vectors with ${length} dimensions instead of ${expected}; set ` +
      `EMBEDDINGS_DIMENSIONS to ${length} to embed everything again.`,
  )

/** The error of the last attempt. */
export const lastOf = (error: unknown): unknown => (RetryError.isInstance(error) ? error.lastError : error)

export const statusOf = (error: unknown): number | undefined => {
  const last = lastOf(error)
  return APICallError.isInstance(last) ? last.statusCode : undefined
}

/** Statuses for a wrong key, no credit, an unknown model, a rate limit or an outage. */
const ENDPOINT_STATUSES = [401, 402, 403, 404, 408, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529]

/** Whether the endpoint fails independently of the text. */
export const isEndpointError = (error: unknown): boolean =>
  !isModerated(error) && (ENDPOINT_STATUSES.includes(statusOf(error) ?? 0) || isOutOfCredit(error))

/** Whether other texts might succeed. */
export function isInputError(error: unknown): boolean {
  if (error instanceof EndpointFailure || isAbort(lastOf(error))) return false
  return !isEndpointError(error)
}

export const isRefusal = (error: unknown): boolean =>
  isModerated(error) || ([400, 413, 422].includes(statusOf(error) ?? 0) && !isOutOfCredit(error))

export const isTooLarge = (error: unknown): boolean => lastOf(error) instanceof AnswerTooLarge

/** Some gateways answer 403 for a text that their moderation flags. */
const isModerated = (error: unknown): boolean =>
  statusOf(error) === 403 && /flagged|moderat/i.test(serverWords(error))

/** What the server says about the error, at most 200 characters. */
export function serverWords(error: unknown): string {
  const last = lastOf(error)
  if (!APICallError.isInstance(last)) return truncate((last as Error).message, MAX_WORDS)
  return truncate(messageIn(last.responseBody) ?? last.message, MAX_WORDS)
}

const MAX_WORDS = 200

const CREDIT_CODES =
  /^(?:insufficient_(?:quota|credits?|balance|funds)|billing_(?:hard_limit_reached|not_active)|credit_balance_too_low|payment_required|arrearage)$/i
const CREDIT_WORDS =
  /insufficient (?:credits?|balance|quota|funds)|(?:credit|account) balance is too low|exceeded your current quota|no credits? (?:left|remaining)|out of credits?|billing hard limit|payment required|requires more credits/i
/** A limit that ends with time is no missing credit, although some providers describe both with the same words. */
const RATE_WORDS = /retry (?:in|after)|per (?:second|minute|hour|day)|try again in|rate.?limit|free.?tier/i

/** Whether the account at the endpoint has no credit left. */
export function isOutOfCredit(error: unknown): boolean {
  const status = statusOf(error)
  if (status === 402) return true
  if (status === undefined || ![400, 403, 429].includes(status)) return false
  const last = lastOf(error) as APICallError
  if (codesIn(last.responseBody).some((code) => CREDIT_CODES.test(code))) return true
  const words = messageIn(last.responseBody) ?? ''
  const mayEnd = requestedDelay(error) !== undefined || RATE_WORDS.test(words)
  return CREDIT_WORDS.test(words) && !mayEnd
}

/** Why the endpoint returned nothing for a text. */
export function reasonOf(error: unknown, { name }: EndpointName): string {
  const status = statusOf(error)
  if (isRefusal(error)) return `${name} rejected the text (${status}: ${serverWords(error)}).`
  if (isTooLarge(error)) return `${name} failed on the text. ${serverWords(error)}`
  if (status !== undefined && status >= 500)
    return `${name} failed on the text (${status}: ${serverWords(error)}).`
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
  if (isTooLarge(last)) return new EndpointFailure(`${of.name} failed. ${serverWords(last)}`, { cause: last })
  if (!APICallError.isInstance(last))
    return new EndpointFailure(`${of.name} returned an unexpected response.`, { cause: last })
  if (isOutOfCredit(last))
    return new EndpointFailure(
      `${of.name} has no credit left (${last.statusCode}); add credit to the account of ${of.settings}_API_KEY.`,
      { cause: last },
    )
  return new EndpointFailure(explain(last.statusCode, of), { cause: last })
}

function explain(status: number | undefined, { name, settings }: EndpointName): string {
  if (status === undefined) return `${name} cannot be reached; check the server and ${settings}_BASE_URL.`
  if (status === 401 || status === 403)
    return `${name} rejects the API key (${status}); check ${settings}_API_KEY.`
  if (status === 404)
    return `${name} has no such model or path (404); check ${settings}_MODEL and ${settings}_BASE_URL.`
  if (status === 429) return `${name} is rate limited (429); try again later.`
  if (status === 529) return `${name} is overloaded (529); try again later.`
  if (status === 200)
    return `${name} returned an unreadable response; if this persists, check ${settings}_BASE_URL.`
  return `${name} failed (${status}); try again later.`
}
