import type { OpenAPIV3_1 } from 'openapi-types'
import { errorAnswer } from '#src/platform/http/error-answer.ts'
import { ErrorBody } from '#src/platform/schema/shapes.ts'

const ERRORS: Record<number, { name: string; description: string }> = {
  400: { name: 'ValidationFailed', description: 'The input is not valid.' },
  401: { name: 'Unauthorized', description: 'No user, or a credential that is not valid.' },
  403: {
    name: 'Forbidden',
    description: 'The user may not do this, or the request comes from a page of another site.',
  },
  404: { name: 'NotFound', description: 'There is no such record.' },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed since the time that `If-Match` names; nothing was changed.',
  },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The media type is not one that this route takes.' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests in this minute; `Retry-After` says how many seconds to wait.',
  },
  500: { name: 'InternalError', description: 'Something went wrong in the service.' },
  503: {
    name: 'DependencyUnavailable',
    description: 'Something that the service depends on is out of reach.',
  },
}

const seconds: OpenAPIV3_1.HeaderObject = { schema: { type: 'integer' }, description: 'Seconds.' }
const requests: OpenAPIV3_1.HeaderObject = { schema: { type: 'integer' }, description: 'Requests.' }
const LIMIT_HEADERS = {
  'Retry-After': seconds,
  'RateLimit-Limit': requests,
  'RateLimit-Remaining': requests,
  'RateLimit-Reset': seconds,
}

/** The content of an error response: JSON, whatever a success is. */
export const errorContent = (status: number, details: string) => ({
  'application/json': { schema: ErrorBody, example: errorAnswer(status, details) },
})

/** The error responses that operations share, by name. */
export const errorResponses = (): Record<string, OpenAPIV3_1.ResponseObject> =>
  Object.fromEntries(
    Object.entries(ERRORS).map(([status, { name, description }]) => [
      name,
      {
        description,
        ...(status === '429' ? { headers: LIMIT_HEADERS } : {}),
        content: errorContent(Number(status), description),
      },
    ]),
  )

export interface Operation extends OpenAPIV3_1.OperationObject {
  'x-rate-class'?: string
}

/** References to the errors that an operation can answer with, beside those that it describes. */
export const errorsOf = (method: string, path: string, operation: Operation) =>
  Object.fromEntries(
    statusesOf(method, path, operation).map((status) => [
      status,
      { $ref: `#/components/responses/${ERRORS[status]?.name}` },
    ]),
  )

function statusesOf(method: string, path: string, { parameters = [], security, ...operation }: Operation) {
  const rateClass = operation['x-rate-class']
  if (!rateClass) return [500, 503]
  const isConditional = parameters.some((parameter) => 'name' in parameter && parameter.name === 'if-match')
  return [
    ...[400, 403, 500, 503],
    ...(security ? [] : [401]),
    ...(path.includes('{id}') ? [404] : []),
    ...(isConditional ? [412] : []),
    ...(method === 'get' ? [] : [413, 415]),
    ...(rateClass === 'none' ? [] : [429]),
  ]
}
