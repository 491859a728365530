import { existsSync } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { vector } from '@electric-sql/pglite-pgvector'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Config } from '#src/platform/config/config.ts'
import { lockDataFolder } from './data-folder.ts'
import { PreparingClient } from './prepared-statements.ts'

/** The tables as Kysely sees them. Each slice adds its own. JSON columns are written as text. */
// biome-ignore lint/suspicious/noEmptyInterface: the slices add to it
export interface Tables {}

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  /** The embedded database, or the connection string for code that opens its own connections. */
  readonly source: { pglite: PGlite } | { connectionString: string }
  close(): Promise<void>
}

const EXTENSIONS = { pg_trgm, unaccent, vector }

/**
 * Settings of every connection. With PostgreSQL's default `work_mem` of 4 MB, the bitmap of a search that matches
 * 100,000 of a million rows becomes lossy and the search takes 520 ms instead of 195 ms. `jit` costs more than it
 * saves on these statements.
 */
const SESSION = "set timezone = 'UTC'; set work_mem = '64MB'; set jit = off"

const POOL_SIZE = 20

/**
 * Opens PostgreSQL at `databaseUrl`, or the embedded database in the data folder.
 * @throws DataFolderInUse if another process has the embedded database open
 */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<Database> {
  return config.databaseUrl ? openPostgres(config.databaseUrl) : openEmbedded(config.dataFolder)
}

function openPostgres(connectionString: string): Database {
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    Client: PreparingClient,
    application_name: 'deal-pipeline',
  })
  pool.on('connect', (client) => {
    // Without a listener, a connection that breaks between two statements of a transaction would crash the process.
    client.on('error', () => {})
    client.query(SESSION).catch(() => {})
  })
  // The pool has already removed the broken idle connection; the next query opens a new one.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, source: { connectionString }, close: () => db.destroy() }
}

async function openEmbedded(dataFolder: string): Promise<Database> {
  const unlock = lockDataFolder(dataFolder)
  try {
    const folder = await initialized(path.join(dataFolder, 'database'))
    // Other users of the machine must not be able to read the data.
    await chmod(folder, 0o700)
    const database = await openPglite(folder)
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

/** Opens PGlite on a folder, or in memory on a copy of a database. */
export async function openPglite(
  folder: string | undefined,
  copy?: Blob,
): Promise<Database & { pglite: PGlite }> {
  const pglite = await PGlite.create({ dataDir: folder, extensions: EXTENSIONS, loadDataDir: copy })
  await pglite.exec(SESSION)
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  await sql`select 1`.execute(db)
  return { db, pglite, source: { pglite }, close: () => db.destroy() }
}

/** Returns the folder after creating an empty database in it if needed. An interrupted creation starts over. */
async function initialized(folder: string): Promise<string> {
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  const pglite = await PGlite.create({ dataDir: unfinished, extensions: EXTENSIONS })
  await pglite.close()
  await rename(unfinished, folder)
  return folder
}
