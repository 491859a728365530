import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { createPreparedPostgres, prepareDataFolder, testServer } from '#src/testing/database.ts'

/** The last migration of the database, and those that it lacks. */
export const LAST = '0058_calendar'
export const LACKING = ['0059_backup_runs', '0060_schema_requirements', '0061_former_events']

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

/** Creates such a database: PostgreSQL if `TEST_DATABASE_URL` is set, else embedded. */
export async function olderDatabase(): Promise<OlderDatabase> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-upgrade-'))
  const dataFolder = path.join(folder, 'data')
  const postgres = testServer ? await createPreparedPostgres(testServer) : undefined
  await prepareDataFolder(dataFolder)
  const edit = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const { background, close } = await openDatabase({ databaseUrl: postgres?.url, dataFolder })
    return work(background).finally(close)
  }
  await edit(async (db) => {
    await sql`drop table backup_runs, schema_requirements`.execute(db)
    await sql`delete from kysely_migration where name > ${LAST}`.execute(db)
    await sql`insert into users (email, role, preferences) values ('pia@example.com', 'member', '{}')`.execute(
      db,
    )
  })
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
