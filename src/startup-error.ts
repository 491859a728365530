import { ConfigError } from './platform/config/config.ts'
import { DataFolderDamaged, DataFolderInUse } from './platform/database/data-folder.ts'
import { isDatabaseDown, isReadOnly, isTlsError } from './platform/database/errors.ts'
import { DiskFull } from './platform/database/full-disk.ts'
import { MigrationFailed, SchemaTooOld } from './platform/database/migrate.ts'
import { SchemaTooNew } from './platform/database/newer-schema.ts'
import { PoolerUnusable } from './platform/database/session.ts'

/** Explains a startup error that the administrator can fix in one line; `undefined` for other errors. */
export function explainStartupError(error: Error & { code?: string; syscall?: string }): string | undefined {
  if (error instanceof ConfigError || error instanceof DataFolderInUse) return error.message
  if (error instanceof SchemaTooNew || error instanceof SchemaTooOld || error instanceof MigrationFailed)
    return error.message
  if (error instanceof DiskFull || error instanceof DataFolderDamaged) return `DATA_DIR: ${error.message}`
  if (error.code === 'EADDRINUSE')
    return `PORT: ${error.message}. Stop the program that uses it, or set another PORT.`
  if (error instanceof PoolerUnusable) return `DATABASE_URL: ${error.message}`
  if (isTlsError(error)) return explainTls(error)
  if (isDatabaseDown(error)) return `DATABASE_URL: cannot reach the database: ${error.message}`
  if (error.code === 'ENOSPC')
    return `DATA_DIR: its disk is full (${error.message}). Free some space and start again.`
  if (isReadOnly(error))
    return `DATABASE_URL: the schema must be upgraded, but the database is read-only: ${error.message}`
  return error.syscall ? `DATA_DIR: ${error.message}` : undefined
}

/** Node.js adds its own advice after a semicolon. */
const explainTls = ({ message }: Error): string =>
  `DATABASE_URL: the connection to the database cannot be encrypted as requested: ${message.split(';')[0]}. ` +
  'For a certificate of your own, add sslmode=verify-full and sslrootcert=/path/to/ca.pem to the address; ' +
  'sslmode=no-verify accepts any certificate, and sslmode=disable does not encrypt.'
