import { type Kysely, sql } from 'kysely'
import type { Db } from './database.ts'

/** A migration. There is no way back but a backup. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>
  /** Whether versions that do not know it cannot work with the schema any more, so that their processes must end. */
  endsEarlierVersions?: boolean
}

/** Migrations by name; they run in the order of their names. */
export type Migrations = Record<string, Migration>

/** The names of the migrations that have run. */
export async function executedMigrations(db: Db): Promise<Set<string>> {
  const { rows: tables } = await sql<{ table: string | null }>`
    select to_regclass('kysely_migration')::text as table`.execute(db)
  if (tables[0]?.table == null) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** The names of the migrations that have not run. */
export const pendingMigrations = async (db: Db, migrations: Migrations): Promise<string[]> =>
  pendingOf(migrations, await executedMigrations(db))

/** The names of the migrations that are not among those that have run, in their order. */
export const pendingOf = (migrations: Migrations, executed: ReadonlySet<string>): string[] =>
  Object.keys(migrations)
    .filter((name) => !executed.has(name))
    .sort()
