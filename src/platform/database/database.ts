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

/** The tables as Kysely sees them: each slice adds its own. JSON columns are written as text. */
// biome-ignore lint/suspicious/noEmptyInterface: the slices add to it
export interface Tables {}

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  /** For what needs connections of its own: the embedded database itself, or where PostgreSQL is. */
  readonly source: { pglite: PGlite } | { connectionString: string }
  close(): Promise<void>
}

const EXTENSIONS = { pg_trgm, unaccent, vector }

/**
 * Settings of every connection. With PostgreSQL's default of 4 MB the bitmap of a search that matches
 * 100,000 of a million rows turns lossy and the search takes 520 ms instead of 195 ms; compiling the
 * same statement (`jit`) costs more than it saves.
 */
const SESSION = "set timezone = 'UTC'; set work_mem = '64MB'; set jit = off"

const POOL_SIZE = 20

/**
 * Opens the database: PostgreSQL at `databaseUrl`, else the embedded one in the data folder.
 * @throws DataFolderInUse when another process has the embedded one open
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
    // Without a listener a connection that breaks between two statements of a transaction would end the process.
    client.on('error', () => {})
    client.query(SESSION).catch(() => {})
  })
  // A connection that breaks while idle has been taken out of the pool; the next query opens another.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, source: { connectionString }, close: () => db.destroy() }
}

async function openEmbedded(dataFolder: string): Promise<Database> {
  const unlock = lockDataFolder(dataFolder)
  try {
    const folder = await initialized(path.join(dataFolder, 'database'))
    // What is in it may be read by whoever may look into it.
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

/** Opens PGlite on a folder, or on a copy of a database in memory. */
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
