import { STATUS_CODES } from 'node:http'

/** The fixed phrase of each status: the `error` of the body `{error, details}`. */
const PHRASES: Record<number, string> = {
  400: 'Validation failed',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Payload too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Dependency unavailable',
}

export interface ErrorAnswer {
  error: string
  details: string
}

/** What came with a request, fit to be quoted in a message: no control characters, no half surrogate pairs. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, ' ').toWellFormed()

/** The body of an error answer. */
export const errorAnswer = (status: number, details: string): ErrorAnswer => ({
  error: PHRASES[status] ?? STATUS_CODES[status] ?? 'Error',
  details: printable(details),
})

/** An error that the caller is told of. `message` is a sentence for a person and leaks nothing. */
export class HttpError extends Error {
  readonly statusCode: number

  constructor(statusCode: number, details: string, options?: ErrorOptions) {
    super(details, options)
    this.statusCode = statusCode
  }
}

export const badRequest = (details: string) => new HttpError(400, details)
export const unauthorized = (details: string) => new HttpError(401, details)
export const forbidden = (details: string) => new HttpError(403, details)
export const notFound = (details: string) => new HttpError(404, details)
export const conflict = (details: string) => new HttpError(409, details)
export const preconditionFailed = (details: string) => new HttpError(412, details)
export const unavailable = (details: string, cause?: unknown) => new HttpError(503, details, { cause })

/**
 * The record that was looked up by an id in the path.
 * @throws HttpError 404 when there is none
 */
export function found<T>(record: T | undefined, kind: string, id: string): T {
  if (record === undefined) throw notFound(`No ${kind} has the id ${id.slice(0, 100)}.`)
  return record
}

/** The fields of a PostgreSQL error that we look at; `pg` and PGlite name them alike. */
interface DatabaseError {
  code?: string
  constraint?: string
  message?: string
  syscall?: string
}

const CONNECTION_FAILURES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '28000',
  '28P01',
  '3D000',
])

const CONNECTION_MESSAGES =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|PGlite (?:is closed|instance is already closed)|not queryable|connection error/i

/** Whether the error says that the database is out of reach (and not that the statement was wrong). */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown)
  const { code = '', message = '', syscall } = error as DatabaseError
  if (syscall === 'connect') return true
  return CONNECTION_FAILURES.has(code) || code.startsWith('08') || CONNECTION_MESSAGES.test(message)
}

/** A deadlock, a conflict of transactions, a lock that was not to be had in time. */
const CONTENTIONS = new Set(['40P01', '40001', '55P03'])

/** Whether the statement gave way to others that work on the same records: it may be tried again. */
export const isContention = (error: unknown): boolean => CONTENTIONS.has((error as DatabaseError).code ?? '')

/** Whether the statement broke this constraint. */
export const breaksConstraint = (error: unknown, constraint: string): boolean =>
  (error as DatabaseError).constraint === constraint
