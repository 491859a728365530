import { APICallError, RetryError } from 'ai'

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

/** Whether other texts might fare better. */
export function mayBeTheTexts(error: unknown): boolean {
  if (error instanceof EndpointFailure || isAbort(lastOf(error))) return false
  return !NOT_THE_TEXTS.includes(statusOf(error) ?? 0)
}

export const isRefusal = (error: unknown): boolean => [400, 413, 422].includes(statusOf(error) ?? 0)

/** Why a text has no vector. */
export function reasonOf(error: unknown): string {
  const status = statusOf(error)
  const { message } = lastOf(error) as Error
  if (isRefusal(error))
    return `The embedding endpoint refused the text (${status}: ${message.slice(0, 200)}).`
  if (status !== undefined && status >= 500)
    return `The embedding endpoint failed at the text (${status}: ${message.slice(0, 200)}).`
  return 'The embedding endpoint gave an answer for the text that cannot be read.'
}

const isAbort = (error: unknown): boolean => ['TimeoutError', 'AbortError'].includes((error as Error).name)

export function failureOf(error: unknown): Error {
  if (error instanceof EndpointFailure) return error
  const last = lastOf(error)
  if (isAbort(last))
    return new EndpointTimeout(
      'The embedding endpoint did not answer in time; see to it, or to EMBEDDINGS_BASE_URL.',
      {
        cause: last,
      },
    )
  if (!APICallError.isInstance(last))
    return new EndpointFailure('The embedding endpoint did not give what was asked for.', { cause: last })
  return new EndpointFailure(explain(last.statusCode), { cause: last })
}

function explain(status: number | undefined): string {
  if (status === undefined)
    return 'The embedding endpoint cannot be reached; see to it, or to EMBEDDINGS_BASE_URL.'
  if (status === 401 || status === 403)
    return `The embedding endpoint refuses the key (${status}); set EMBEDDINGS_API_KEY to one that it takes.`
  if (status === 404)
    return 'The embedding endpoint has no such model or address (404); see to EMBEDDINGS_MODEL and EMBEDDINGS_BASE_URL.'
  if (status === 429) return 'The embedding endpoint is asked too often (429); try again later.'
  if (status === 200)
    return 'The embedding endpoint gave an answer that cannot be read; if it always does, see to EMBEDDINGS_BASE_URL.'
  return `The embedding endpoint failed (${status}); try again later.`
}
