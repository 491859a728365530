import { sql } from 'kysely'
import type { Logger } from 'pino'
import { version } from '#src/platform/process/version.ts'
import type { Db } from './database.ts'
import { executedMigrations, type Migrations } from './migrations.ts'

/** The database has a migration that this version of the program does not know. */
export class SchemaTooNew extends Error {}

/** Why this process must not use the database any more; undefined: it may. */
export interface SchemaRefusal {
  reason: string | undefined
}

/**
 * The migrations of a newer version that the database has, if this version can work with them.
 * @throws SchemaTooNew if it cannot, or soon cannot
 */
export async function newerMigrations(
  db: Db,
  migrations: Migrations,
  executed?: ReadonlySet<string>,
): Promise<string[]> {
  const newer = [...(executed ?? (await executedMigrations(db)))]
    .filter((name) => !Object.hasOwn(migrations, name))
    .sort()
  const oldest = await oldestMigration(db)
  const isKnown = oldest !== undefined && Object.hasOwn(migrations, oldest)
  if (isKnown || (newer.length === 0 && oldest === undefined)) return newer
  throw new SchemaTooNew(
    `The database ${newer[0] ? 'has' : 'is about to get'} the migration ${newer[0] ?? oldest}, which version ${version} does not know. A newer version has upgraded it: start that version, or restore a backup from before the upgrade.`,
  )
}

/** The migration that a version must know to work with the database; undefined before there was such a rule. */
export async function oldestMigration(db: Db): Promise<string | undefined> {
  const { rows: tables } = await sql<{ table: string | null }>`
    select to_regclass('schema_requirements')::text as table`.execute(db)
  if (tables[0]?.table == null) return undefined
  const { rows } = await sql<{ oldest_migration: string }>`
    select oldest_migration from schema_requirements`.execute(db)
  return rows[0]?.oldest_migration
}

/**
 * Ends the process once a newer version upgrades the database to a schema that this version cannot work with. From then on,
 * requests are refused with the reason. Its next start says the same.
 * @param end ends the process in an orderly way
 */
export async function endIfTooNew(
  db: Db,
  migrations: Migrations,
  log: Pick<Logger, 'fatal'>,
  refusal: SchemaRefusal,
  end = () => void process.kill(process.pid, 'SIGTERM'),
): Promise<void> {
  // A second signal would cut off the requests in flight.
  if (refusal.reason !== undefined) return
  try {
    await newerMigrations(db, migrations)
  } catch (error) {
    if (!(error instanceof SchemaTooNew)) throw error
    refusal.reason = error.message
    log.fatal(error.message)
    end()
  }
}
