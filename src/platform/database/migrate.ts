import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Logger } from 'pino'
import { version } from '#src/platform/process/version.ts'
import type { Db } from './database.ts'
import { isDatabaseDown, isTlsError } from './errors.ts'
import { hasSingleConnection } from './pinned-connection.ts'

/** Migrations by name; they run in the order of their names. */
export type Migrations = Record<string, Migration>

/** The database has a migration that this version of the program does not know. */
export class SchemaTooNew extends Error {}

/**
 * Brings the schema up to date. Processes that start at the same time take turns through an advisory lock. A
 * migration that fails is rolled back. A database that a newer version has upgraded stays as it is.
 * @throws SchemaTooNew if this version cannot work with the upgraded database
 */
export async function migrate(db: Db, migrations: Migrations): Promise<void> {
  if (await isUpToDate(db, migrations)) return
  if ((await newerMigrations(db, migrations)).length > 0) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/**
 * The migrations of a newer version that the database has, if this version can work with them.
 * @throws SchemaTooNew if it cannot
 */
export async function newerMigrations(db: Db, migrations: Migrations): Promise<string[]> {
  const executed = await executedMigrations(db)
  const newer = [...executed].filter((name) => !Object.hasOwn(migrations, name)).sort()
  if (newer.length === 0 || Object.hasOwn(migrations, await oldestMigration(db))) return newer
  throw new SchemaTooNew(
    `The database has the migration ${newer[0]}, which version ${version} does not know. A newer version has upgraded it: start that version, or restore a backup from before the upgrade.`,
  )
}

/** The migration that a version must know to work with the database; empty before there was such a rule. */
async function oldestMigration(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ table: string | null }>`
    select to_regclass('schema_requirements')::text as table`.execute(db)
  if (tables[0]?.table == null) return ''
  const { rows } = await sql<{ oldest_migration: string }>`
    select oldest_migration from schema_requirements`.execute(db)
  return rows[0]?.oldest_migration ?? ''
}

/**
 * Ends the process once a newer version has upgraded the database to a schema that this version cannot work with, so that it
 * writes nothing to it. Its next start says why.
 * @param end ends the process in an orderly way
 */
export async function endIfTooNew(
  db: Db,
  migrations: Migrations,
  log: Pick<Logger, 'fatal'>,
  end = () => void process.kill(process.pid, 'SIGTERM'),
): Promise<void> {
  try {
    await newerMigrations(db, migrations)
  } catch (error) {
    if (!(error instanceof SchemaTooNew)) throw error
    log.fatal(error.message)
    end()
  }
}

/**
 * Applies the migrations up to one of them, to an empty database.
 * @param last the name of the last one
 */
export async function migrateTo(db: Db, migrations: Migrations, last: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateTo(last)
  if (error) throw error
}

const DATABASE_TIMEOUT_MS = 30_000

/** Migrates, waiting for a database server that is still starting. */
export async function migrateWhenReachable(db: Db, migrations: Migrations, log: Logger): Promise<void> {
  const deadline = Date.now() + DATABASE_TIMEOUT_MS
  for (;;) {
    try {
      return await migrate(db, migrations)
    } catch (error) {
      if (!isDatabaseDown(error) || isTlsError(error) || Date.now() > deadline) throw error
      log.warn({ reason: (error as Error).message }, 'waiting for the database')
      await sleep(1000)
    }
  }
}

/** The names of the migrations that have not run. */
export async function pendingMigrations(db: Db, migrations: Migrations): Promise<string[]> {
  const executed = await executedMigrations(db)
  return Object.keys(migrations)
    .filter((name) => !executed.has(name))
    .sort()
}

/** Whether an embedded database has all migrations. In a shared one, another process may be migrating now. */
async function isUpToDate(db: Db, migrations: Migrations): Promise<boolean> {
  if (!hasSingleConnection(db)) return false
  const executed = await executedMigrations(db)
  return executed.symmetricDifference(new Set(Object.keys(migrations))).size === 0
}

/** The names of the migrations that have run. Kysely's own functions read all columns of all tables first, which takes the embedded database half a second. */
export async function executedMigrations(db: Db): Promise<Set<string>> {
  const { rows: tables } = await sql<{ table: string | null }>`
    select to_regclass('kysely_migration')::text as table`.execute(db)
  if (tables[0]?.table == null) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
