import { existsSync } from 'node:fs'
import type { Settings } from './settings.ts'

/** Limits of PostgreSQL's sessions, in seconds; 0: none. They do not apply to the embedded database. */
export interface DatabaseTimeouts {
  /** Of a statement of a request. */
  readonly statement: number
  /** Of a statement of an import, an export or a count of values. */
  readonly longStatement: number
  /** Of waiting for a lock that another transaction holds. */
  readonly lock: number
  /** After which an idle transaction is ended. */
  readonly idleTransaction: number
}

export const DATABASE_TIMEOUTS: DatabaseTimeouts = {
  statement: 30,
  longStatement: 600,
  lock: 5,
  idleTransaction: 60,
}

const MAX_SECONDS = 86_400

/** The address of PostgreSQL; `undefined` for the embedded database. */
export function readDatabaseUrl(settings: Settings): string | undefined {
  const databaseUrl = settings.text('DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    settings.addError(
      'DATABASE_URL',
      'must be an address such as postgres://user:password@host:5432/database',
    )
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = databaseUrl && new URLSearchParams(databaseUrl.split('?')[1]).get(name)
    if (file && !existsSync(file))
      settings.addError('DATABASE_URL', `names a file as ${name} that does not exist: ${file}`)
  }
  return databaseUrl
}

export function readDatabaseTimeouts(settings: Settings): DatabaseTimeouts {
  const seconds = (name: string, fallback: number) => settings.wholeNumber(name, fallback, 0, MAX_SECONDS)
  return Object.freeze({
    statement: seconds('DATABASE_STATEMENT_TIMEOUT', DATABASE_TIMEOUTS.statement),
    longStatement: seconds('DATABASE_LONG_STATEMENT_TIMEOUT', DATABASE_TIMEOUTS.longStatement),
    lock: seconds('DATABASE_LOCK_TIMEOUT', DATABASE_TIMEOUTS.lock),
    idleTransaction: seconds('DATABASE_IDLE_TRANSACTION_TIMEOUT', DATABASE_TIMEOUTS.idleTransaction),
  })
}
