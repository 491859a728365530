import type { OpenAPIV3_1 } from 'openapi-types'
import { ErrorBody } from '#src/platform/schema/shapes.ts'
import { errorBody } from '../error-body.ts'

const ERRORS: Record<number, { name: string; description: string }> = {
  400: { name: 'BadRequest', description: 'The input is not valid.' },
  401: { name: 'Unauthorized', description: 'Not signed in, or invalid credentials.' },
  403: {
    name: 'Forbidden',
    description: 'The user lacks permission, or the request comes from a page of another origin.',
  },
  404: { name: 'NotFound', description: 'The record does not exist.' },
  409: {
    name: 'Conflict',
    description:
      'The state of the record does not allow this, or a request with the same `Idempotency-Key` is being handled.',
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed since the time in `If-Match`. Nothing was changed.',
  },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The media type is not supported.' },
  422: { name: 'KeyReused', description: 'The `Idempotency-Key` was used with another request.' },
  429: {
    name: 'RateLimited',
    description: 'Rate limit exceeded. Wait for the number of seconds in `Retry-After`.',
  },
  500: { name: 'InternalError', description: 'An unexpected error.' },
  503: {
    name: 'Unavailable',
    description: 'A dependency is unreachable.',
  },
}

const seconds = { type: 'integer', description: 'Seconds.' } as const
const requests = { type: 'integer', description: 'Requests.' } as const
/** The schemas of the headers of a 429. */
export const RATE_LIMIT_HEADERS = {
  'Retry-After': seconds,
  'RateLimit-Limit': requests,
  'RateLimit-Remaining': requests,
  'RateLimit-Reset': seconds,
}

const rateLimitHeaders = Object.fromEntries(
  Object.entries(RATE_LIMIT_HEADERS).map(([name, { type, description }]) => [
    name,
    { schema: { type }, description },
  ]),
)

/** Errors are JSON, whatever the media type of a success. */
export const errorContent = (status: number, details: string) => ({
  'application/json': { schema: ErrorBody, example: errorBody(status, details) },
})

/** The error responses that operations share, by component name. */
export const errorResponses = (): Record<string, OpenAPIV3_1.ResponseObject> =>
  Object.fromEntries(
    Object.entries(ERRORS).map(([status, { name, description }]) => [
      name,
      {
        description,
        ...(status === '429' ? { headers: rateLimitHeaders } : {}),
        content: errorContent(Number(status), description),
      },
    ]),
  )

export interface Operation extends OpenAPIV3_1.OperationObject {
  'x-rate-class'?: string
}

/** References to the errors that an operation can return, besides those it describes itself. */
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
  const takes = (header: string) =>
    parameters.some((parameter) => 'name' in parameter && parameter.name === header)
  return [
    ...[400, 403, 500, 503],
    ...(security ? [] : [401]),
    ...(/\{(id|name)\}/.test(path) ? [404] : []),
    ...(takes('if-match') ? [412] : []),
    ...(method === 'get' ? [] : [413, 415]),
    ...(takes('idempotency-key') ? [409, 422] : []),
    ...(rateClass === 'none' ? [] : [429]),
  ]
}
