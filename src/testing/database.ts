import { cpSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '#src/platform/database/database.ts'
import { openDatabase, openPglite } from '#src/platform/database/open.ts'
import { createDatabase, templateOn } from './postgres.ts'
import { embeddedArchive, embeddedFolder } from './template.ts'

/** Where tests find a PostgreSQL server to create databases on; without it they run on PGlite. */
export const testServer = process.env.TEST_DATABASE_URL || undefined

/** A database with the current schema and nothing in it; closing it removes it. */
export async function freshDatabase(): Promise<Database> {
  return testServer ? freshPostgres(testServer) : openPglite(undefined, await embeddedArchive())
}

/** A new database on the server with the current schema; closing it removes it. */
export async function freshPostgres(server: string): Promise<Database> {
  const { url, drop } = await createDatabase(server, await templateOn(server))
  const database = await openDatabase({ databaseUrl: url, dataFolder: '' })
  return {
    ...database,
    close: async () => {
      await database.close()
      await drop()
    },
  }
}

/** A new empty database on the server, without a schema. */
export const createPostgres = (server: string): Promise<{ url: string; drop(): Promise<void> }> =>
  createDatabase(server)

/** Puts an embedded database with the current schema into a new data folder, unless the tests run on PostgreSQL. */
export async function prepareDataFolder(folder: string): Promise<void> {
  if (testServer) return
  cpSync(await embeddedFolder(), path.join(folder, 'database'), { recursive: true })
}
