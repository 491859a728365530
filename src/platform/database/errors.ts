import { ConstantBackoff, handleWhen, retry } from 'cockatiel'
import type { ServiceError } from '#src/platform/errors.ts'
import { PAGE_TOO_LARGE } from './sql.ts'

/** The fields of a PostgreSQL error that we use; `pg` and PGlite name them alike. */
interface DatabaseError {
  code?: string
  constraint?: string
  message?: string
  syscall?: string
}

const codeOf = (error: unknown): string => (error as DatabaseError).code ?? ''

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
  /connection terminated|connection timeout|timeout exceeded when trying to connect|query read timeout|PGlite (?:is closed|instance is already closed)|not queryable|connection error/i

const TLS_FAILURES =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|HOSTNAME_MISMATCH)$/
const NO_TLS = 'The server does not support SSL connections'

/** Whether the connection to the database cannot be encrypted as the settings ask, so that retrying does not help. */
export const isTlsError = (error: unknown): boolean =>
  TLS_FAILURES.test(codeOf(error)) || (error as DatabaseError).message === NO_TLS

/** Whether the error means that the database is unreachable rather than that the statement is wrong. */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown)
  const { code = '', message = '', syscall } = error as DatabaseError
  if (syscall === 'connect' || isTlsError(error)) return true
  return CONNECTION_FAILURES.has(code) || code.startsWith('08') || CONNECTION_MESSAGES.test(message)
}

/** Deadlock, serialization failure, lock timeout. */
const CONTENTIONS = new Set(['40P01', '40001', '55P03'])

/** Whether the statement lost to a concurrent one that changes the same records, and may be retried. */
export const isContention = (error: unknown): boolean => CONTENTIONS.has(codeOf(error))

/** Runs a transaction up to five times while it loses to concurrent ones. */
export const contentionRetries = retry(handleWhen(isContention), {
  maxAttempts: 4,
  backoff: new ConstantBackoff(200),
})

/** Whether a list was larger than a page may be. */
export const isPageTooLarge = (error: unknown): boolean => codeOf(error) === PAGE_TOO_LARGE

/** Whether the statement took longer than `statement_timeout`. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/** SQLSTATE class 53: no memory, no disk space, too many connections. */
export const isOutOfResources = (error: unknown): boolean => /^53\w{3}$/.test(codeOf(error))

/** SQLSTATE classes 22 (data exception) and 54 (program limit exceeded). */
export const isUnstorable = (error: unknown): boolean => /^(22|54)\w{3}$/.test(codeOf(error))

/** Whether the database takes no writes: its disk is nearly full, or it is a standby. */
export const isReadOnly = (error: unknown): boolean => (error as DatabaseError).code === '25006'

/**
 * A `catch` handler that turns a constraint violation into an error for the caller.
 * @throws the explained error, or the original one if another constraint or problem caused it
 */
export const onViolation =
  (constraint: string, explain: () => ServiceError) =>
  (error: unknown): never => {
    throw (error as DatabaseError).constraint === constraint ? explain() : error
  }
