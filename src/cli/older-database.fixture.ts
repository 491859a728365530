import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { migrations } from '#src/migrations/migrations.ts'
import type { Db } from '#src/platform/database/database.ts'
import { migrateTo } from '#src/platform/database/migrate.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { cachedFolder } from '#src/testing/cache.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import { schemaHash } from '#src/testing/template.ts'

/** The last migration of the database, and those that it lacks. */
export const LAST = '0058_calendar'
export const LACKING = Object.keys(migrations).filter((name) => name > LAST)

/** A database that lacks migrations, for processes that are started with these settings. */
export interface OlderDatabase {
  settings: Record<string, string>
  folder: string
  /** Runs work on the database, which no process may have open if it is embedded. */
  edit<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** The names of its migrations, from the first that it lacked on. */
  added(): Promise<string[]>
  remove(): Promise<void>
}

const createOlder = (db: Db) => migrateTo(db, migrations, LAST)

const embeddedFolder = () =>
  cachedFolder(`embedded-${schemaHash()}-${LAST}`, async (folder) => {
    const { background, close } = await openDatabase({ databaseUrl: undefined, dataFolder: folder })
    await createOlder(background).finally(close)
  })

/** Creates such a database: PostgreSQL if `TEST_DATABASE_URL` is set, else embedded. */
export async function olderDatabase(): Promise<OlderDatabase> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-upgrade-'))
  const dataFolder = path.join(folder, 'data')
  const postgres = testServer ? await createPostgres(testServer) : undefined
  const edit = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const { background, close } = await openDatabase({ databaseUrl: postgres?.url, dataFolder })
    return work(background).finally(close)
  }
  if (postgres) await edit(createOlder)
  else await cp(await embeddedFolder(), dataFolder, { recursive: true })
  return {
    settings: {
      PATH: process.env.PATH ?? '',
      NODE_NO_WARNINGS: '1',
      DATA_DIR: dataFolder,
      DATABASE_URL: postgres?.url ?? '',
      EMBEDDINGS: 'builtin-words',
    },
    folder,
    edit,
    added: () =>
      edit(async (db) => {
        const { rows } = await sql<{ name: string }>`
          select name from kysely_migration where name > ${LAST} order by name`.execute(db)
        return rows.map(({ name }) => name)
      }),
    remove: async () => {
      await postgres?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Lets the first migration that the database lacks fail: its table is already there. */
export const obstruct = (db: Db) => sql`create table backup_runs (obstacle int)`.execute(db)

export const clear = (db: Db) => sql`drop table backup_runs`.execute(db)
