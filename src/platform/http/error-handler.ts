import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

import {
  isContention,
  isDatabaseDown,
  isOutOfResources,
  isPageTooLarge,
  isReadOnly,
  isTimeout,
  isUnstorable,
} from '#src/platform/database/errors.ts'

import {
  Conflict,
  Forbidden,
  Gone,
  InvalidInput,
  KeyReused,
  Moved,
  NotFound,
  PreconditionFailed,
  QuotaExceeded,
  ServiceError,
  TooLarge,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
  UnsupportedEncoding,
} from '#src/platform/errors.ts'
import { isClientGone } from './disconnect.ts'
import { errorBody } from './error-body.ts'
import { logOutage } from './outage-log.ts'

/** The maximum body size in bytes, except for file uploads. */
export const BODY_LIMIT = 1024 * 1024

/** The rest of a body of this size is read and discarded: a client that is still sending would miss the answer. */
const MAX_UNREAD_BYTES = 2 * BODY_LIMIT

/** The maximum length of a part of the path, such as an id. */
export const MAX_PARAM_LENGTH = 1000

/** nginx's status for a client that did not wait; only the log shows it. */
const CLIENT_CLOSED_REQUEST = 499

/** When to try again what failed because a dependency was down, in seconds. */
const RETRY_AFTER_SECONDS = 2

const STATUSES: [new (...input: never[]) => ServiceError, number][] = [
  [InvalidInput, 400],
  [Unauthenticated, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [Conflict, 409],
  [Gone, 410],
  [PreconditionFailed, 412],
  [TooLarge, 413],
  [UnsupportedEncoding, 415],
  [KeyReused, 422],
  [TooManyRequests, 429],
  [Unavailable, 503],
  [QuotaExceeded, 507],
]

const statusOf = (error: ServiceError): number => STATUSES.find(([kind]) => error instanceof kind)?.[1] ?? 500

/** Sends an error response. Internal details only go to the log. */
export function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, details } = explainError(error, request)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  // An undo brings the record back, so that no cache may keep the redirect.
  if (error instanceof Moved && status === 301)
    reply.header('location', addressOf(request, error.target)).header('cache-control', 'no-store')
  if (status === 413 && Number(request.headers['content-length']) <= MAX_UNREAD_BYTES)
    reply.removeHeader('connection')
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS)
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(status, details))
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** The address of the request with another id. */
function addressOf({ routeOptions, url }: FastifyRequest, id: string): string {
  const query = url.indexOf('?')
  return (routeOptions.url ?? '').replace(':id', id) + (query < 0 ? '' : url.slice(query))
}

const refusalReasons = new WeakMap<FastifyRequest, string>()

/** Why a request was answered with 401 or 403. */
export const refusalReason = (request: FastifyRequest): string | undefined => refusalReasons.get(request)

/** Maps an error to a status and the details for the caller. Logs unexpected errors, and errors with a cause but wrong input. */
export function explainError(error: Error, request: FastifyRequest): { status: number; details: string } {
  const response = toResponse(error, request)
  if (response.status === 401 || response.status === 403) refusalReasons.set(request, response.details)
  if (response.status === 503) logOutage(error, response.details, request)
  else if (!(error instanceof ServiceError) && response.status >= 500)
    request.log.error({ err: error }, response.details)
  // The details say all about wrong input, such as a form that cannot be parsed.
  else if (response.status >= 500 || (error.cause !== undefined && !(error instanceof InvalidInput)))
    request.log.warn({ err: error }, response.details)
  return response
}

function toResponse(error: Error, request: FastifyRequest): { status: number; details: string } {
  if (error instanceof Moved && isRead(request)) return { status: 301, details: error.message }
  if (error instanceof ServiceError) return { status: statusOf(error), details: error.message }
  if (error.name === 'AbortError' || isClientGone(error))
    return { status: CLIENT_CLOSED_REQUEST, details: 'The client disconnected.' }
  if (isDatabaseDown(error))
    return { status: 503, details: 'The database cannot be reached. Try again in a moment.' }
  if (isContention(error))
    return { status: 503, details: 'Other requests are changing the same records. Try again in a moment.' }
  if (isReadOnly(error))
    return {
      status: 503,
      details: 'The database is read-only: its disk is nearly full, or it is a standby. Try again later.',
    }
  if (isPageTooLarge(error))
    return {
      status: 400,
      details: 'limit must be lower: these records are larger than 16 MB, the most a page may have.',
    }
  if (isTimeout(error))
    return { status: 503, details: 'The database took too long to answer. Try again, or ask for less.' }
  if (isOutOfResources(error))
    return {
      status: 503,
      details: 'The database is out of memory, disk space or connections. Try again later.',
    }
  if (isUnstorable(error))
    return { status: 400, details: 'A value in the request is outside of what the database can store.' }
  const { code = '', statusCode } = error as FastifyError
  const { consumes } = (request.routeOptions.schema ?? {}) as { consumes?: string[] }
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return {
        status: 415,
        details: `The Content-Type must be ${consumes?.join(' or ') ?? 'application/json'}.`,
      }
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return {
        status: 413,
        details: `The body must not be larger than ${request.routeOptions.bodyLimit ?? BODY_LIMIT} bytes.`,
      }
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return { status: 400, details: 'The body is empty. It must be JSON.' }
    case 'FST_ERR_BAD_URL':
      return { status: 400, details: 'The path is not properly percent-encoded UTF-8.' }
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return { status: 414, details: `A part of the path is longer than ${MAX_PARAM_LENGTH} characters.` }
    default:
  }
  if ((error instanceof SyntaxError && statusCode === 400) || code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return { status: 400, details: 'The body is not valid JSON.' }
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return { status: statusCode, details: error.message }
  return {
    status: 500,
    details: 'An unexpected error occurred. The log has details under this X-Request-Id.',
  }
}
