import { STATUS_CODES } from 'node:http'
import { printable } from '#src/platform/errors.ts'

/** The `error` phrase of each status. */
const PHRASES: Record<number, string> = {
  301: 'Moved permanently',
  400: 'Validation failed',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Payload too large',
  415: 'Unsupported media type',
  422: 'Idempotency key reused',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Dependency unavailable',
  507: 'Insufficient storage',
}

export interface ErrorAnswer {
  error: string
  details: string
}

/** The body of an error response. */
export const errorBody = (status: number, details: string): ErrorAnswer => ({
  error: PHRASES[status] ?? STATUS_CODES[status] ?? 'Error',
  details: printable(details),
})
