import { cpSync } from 'node:fs'
import path from 'node:path'
import { DATABASE_TIMEOUTS } from '#src/platform/config/database.ts'
import type { Database } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { freshEmbedded } from './embedded.ts'
import { createDatabase, templateOn } from './postgres.ts'
import { embeddedFolder } from './template.ts'

/** The PostgreSQL server to create databases on. Without it, tests run on PGlite. */
export const testServer = process.env.TEST_DATABASE_URL || undefined

/** An empty database with the current schema. Closing it deletes it. */
export async function freshDatabase(): Promise<Database> {
  return testServer ? freshPostgres(testServer) : freshEmbedded()
}

/** A transaction may be idle, and others wait for its locks, on a machine that is several times slower than usual. */
const TIMEOUTS = { ...DATABASE_TIMEOUTS, statement: 300, lock: 120, idleTransaction: 300 }

/** A new PostgreSQL database with the current schema. Closing it deletes it. */
export async function freshPostgres(server: string): Promise<Database> {
  const { url, drop } = await createPreparedPostgres(server)
  const database = await openDatabase({ databaseUrl: url, dataFolder: '', databaseTimeouts: TIMEOUTS })
  return {
    ...database,
    close: async () => {
      await database.close()
      await drop()
    },
  }
}

/** A new PostgreSQL database with the current schema, for a service. */
export const createPreparedPostgres = async (
  server: string,
): Promise<{ url: string; drop(): Promise<void> }> => createDatabase(server, await templateOn(server))

/** A new PostgreSQL database without a schema. */
export const createPostgres = (server: string): Promise<{ url: string; drop(): Promise<void> }> =>
  createDatabase(server)

/** Copies an embedded database with the current schema into a data folder, unless tests run on PostgreSQL. */
export async function prepareDataFolder(folder: string): Promise<void> {
  if (testServer) return
  cpSync(await embeddedFolder(), path.join(folder, 'database'), { recursive: true })
}
