import { existsSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '#src/migrations/migrations.ts'
import { DataFolderDamaged, DataFolderInUse } from '#src/platform/database/data-folder.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isDatabaseDown } from '#src/platform/database/errors.ts'
import { pendingMigrations } from '#src/platform/database/migrations.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { InputError } from './input-error.ts'
import { readConfig } from './read-config.ts'

/**
 * Runs work on the service's database, with the service's settings. The service itself need not run, and must not run
 * on the embedded database, which only one process can open.
 * @throws InputError if the database cannot be used
 */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const config = readConfig()
  if (!config.databaseUrl && !existsSync(path.join(config.dataFolder, 'database')))
    throw new InputError(`There is no database in ${config.dataFolder}. Set DATA_DIR or DATABASE_URL.`)
  const { background: db, close } = await openDatabase(config).catch(explainOpening)
  try {
    const pending = await pendingMigrations(db, migrations).catch(explainOpening)
    if (pending.length > 0)
      throw new InputError('The database is of an older version. Run npm run cli -- upgrade run.')
    return await work(db)
  } finally {
    await close()
  }
}

export function explainOpening(error: unknown): never {
  if (error instanceof DataFolderInUse || error instanceof DataFolderDamaged)
    throw new InputError(error.message, { cause: error })
  if (isDatabaseDown(error))
    throw new InputError('The database cannot be reached (DATABASE_URL).', { cause: error })
  throw error
}
