import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './database.ts'

/** Migrations by their names, which sort in the order in which they run. */
export type Migrations = Record<string, Migration>

const migrator = (db: Db, migrations: Migrations) =>
  new Migrator({ db, provider: { getMigrations: async () => migrations } })

/**
 * Brings the schema up to date. Processes that start at the same moment take turns by an advisory lock; a migration that
 * fails leaves nothing behind.
 */
export async function migrate(db: Db, migrations: Migrations): Promise<void> {
  const { error } = await migrator(db, migrations).migrateToLatest()
  if (error) throw error
}

/** The names of the migrations that the database has not had. */
export async function pendingMigrations(db: Db, migrations: Migrations): Promise<string[]> {
  const known = await migrator(db, migrations).getMigrations()
  return known.filter((migration) => !migration.executedAt).map((migration) => migration.name)
}
