import { existsSync } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { vector } from '@electric-sql/pglite-pgvector'
import { Kysely, PGliteDialect, sql } from 'kysely'
import type { Config } from '#src/platform/config/config.ts'
import { parseExactJson } from '#src/platform/schema/exact-json.ts'
import { ConnectionScheduler, type Urgency } from './connection-scheduler.ts'
import { DataFolderDamaged, lockDataFolder } from './data-folder.ts'
import type { Database, Tables } from './database.ts'
import { pinnable } from './pinned-connection.ts'
import { openPostgres } from './pools.ts'
import { SESSION } from './session.ts'

type DatabaseLocation = Pick<Config, 'databaseUrl' | 'dataFolder'> & Partial<Pick<Config, 'databaseTimeouts'>>

const EXTENSIONS = { pg_trgm, unaccent, vector }
/** PostgreSQL's default of 128 MB takes that much memory from the start. The operating system caches the files too. */
const SHARED_BUFFERS = '16MB'

/**
 * Opens the database: PostgreSQL at `databaseUrl`, else the embedded one in the data folder.
 * @throws DataFolderInUse when another process has the embedded one open, DataFolderDamaged if its files are damaged
 */
export async function openDatabase(config: DatabaseLocation): Promise<Database> {
  return config.databaseUrl
    ? openPostgres(config.databaseUrl, config.databaseTimeouts)
    : openEmbedded(config.dataFolder)
}

async function openEmbedded(dataFolder: string): Promise<Database> {
  const unlock = lockDataFolder(dataFolder)
  try {
    const folder = await initialized(path.join(dataFolder, 'database'))
    // Other users of the machine must not be able to read the data.
    await chmod(folder, 0o700)
    const database = await openPglite(folder).catch(explainDamage(folder))
    return {
      ...database,
      close: async () => {
        await database.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Opens a new embedded database that takes its place in the data folder with `publish`. One that is not published is removed
 * when it is closed, or when the next one is opened.
 * @throws DataFolderInUse when another process has the folder open
 */
export async function openNewEmbedded(dataFolder: string): Promise<Database & { publish(): Promise<void> }> {
  const unlock = lockDataFolder(dataFolder)
  const unpublished = path.join(dataFolder, 'database.unpublished')
  const remove = () => rm(unpublished, { recursive: true, force: true })
  try {
    await remove()
    const { close, ...database } = await openPglite(unpublished)
    await chmod(unpublished, 0o700)
    return {
      ...database,
      publish: async () => {
        await close()
        await rename(unpublished, path.join(dataFolder, 'database'))
      },
      close: async () => {
        await close().catch(() => {})
        await remove()
        unlock()
      },
    }
  } catch (error) {
    await remove()
    unlock()
    throw error
  }
}

/** PGlite rejects damaged files with errors of many kinds. Those of the operating system have a `syscall`. */
const explainDamage =
  (folder: string) =>
  (error: Error & { syscall?: string }): never => {
    if (error.syscall) throw error
    throw new DataFolderDamaged(
      `The database in ${folder} is damaged and cannot be opened (${error.message}). Restore it from a backup, or use another DATA_DIR.`,
      { cause: error },
    )
  }

/** Opens PGlite on a folder, or on a copy of a database in memory. */
export async function openPglite(
  folder: string | undefined,
  copy?: Blob,
): Promise<Database & { pglite: PGlite }> {
  const pglite = await PGlite.create({
    dataDir: folder,
    extensions: EXTENSIONS,
    loadDataDir: copy,
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    parsers: { [types.JSON]: parseExactJson, [types.JSONB]: parseExactJson },
  })
  await pglite.exec(SESSION)
  return databaseOf(pglite)
}

/** The database of an open PGlite. Closing it closes the PGlite. */
export async function databaseOf(pglite: PGlite): Promise<Database & { pglite: PGlite }> {
  const scheduler = new ConnectionScheduler()
  const open = (urgency: Urgency) =>
    new Kysely<Tables>({ dialect: pinnable(new PGliteDialect({ pglite }), { scheduler, urgency }) })
  const db = open('request')
  const long = open('long')
  await sql`select 1`.execute(db)
  const close = async () => {
    await long.destroy()
    await db.destroy()
  }
  return {
    db,
    long,
    longBatchLength: 250_000,
    maxBatchMs: 50,
    background: long,
    probe: db,
    pglite,
    source: { pglite },
    close,
  }
}

/** The folder, with an empty database in it if it was new. One cut short while being made is made again. */
async function initialized(folder: string): Promise<string> {
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  const pglite = await PGlite.create({ dataDir: unfinished, extensions: EXTENSIONS })
  await pglite.close()
  await rename(unfinished, folder)
  return folder
}
