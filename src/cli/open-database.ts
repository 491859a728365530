import { existsSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '#src/migrations/migrations.ts'
import type { Config } from '#src/platform/config/config.ts'
import { DataFolderDamaged, DataFolderInUse } from '#src/platform/database/data-folder.ts'
import type { Database, Db } from '#src/platform/database/database.ts'
import { isDatabaseDown } from '#src/platform/database/errors.ts'
import { DiskFull, openDatabaseWithSpace } from '#src/platform/database/full-disk.ts'
import { pendingMigrations } from '#src/platform/database/migrations.ts'
import { PoolerUnusable } from '#src/platform/database/session.ts'
import { FreeSpace } from '#src/platform/process/free-space.ts'
import { InputError } from './input-error.ts'
import { readConfig } from './read-config.ts'

/**
 * Runs work on the service's database, with the service's settings. The service itself need not run, and must not run
 * on the embedded database, which only one process can open.
 * @throws InputError if the database cannot be used
 */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const config = readConfig()
  requireExisting(config)
  return withAnyDatabase(config, async ({ background: db }) => {
    const pending = await pendingMigrations(db, migrations).catch(explainOpening)
    if (pending.length > 0)
      throw new InputError('The database is of an older version. Run npm run cli -- upgrade run.')
    return work(db)
  })
}

/** @throws InputError if the embedded database has not been created yet */
export function requireExisting({ databaseUrl, dataFolder }: Config): void {
  if (!databaseUrl && !existsSync(path.join(dataFolder, 'database')))
    throw new InputError(`There is no database in ${dataFolder}. Set DATA_DIR or DATABASE_URL.`)
}

/**
 * The same on a database of whatever version. An embedded one is created if there is none.
 * @throws InputError if the database cannot be used
 */
export async function withAnyDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataFolder, freeSpace: limits } = config
  const disk = databaseUrl ? undefined : new FreeSpace('the database', dataFolder, { limits })
  const database = await openDatabaseWithSpace(config, disk).catch(explainOpening)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

export function explainOpening(error: unknown): never {
  if (
    error instanceof DataFolderInUse ||
    error instanceof DataFolderDamaged ||
    error instanceof DiskFull ||
    error instanceof PoolerUnusable
  )
    throw new InputError(error.message, { cause: error })
  if (isDatabaseDown(error))
    throw new InputError('The database cannot be reached (DATABASE_URL).', { cause: error })
  throw error
}
