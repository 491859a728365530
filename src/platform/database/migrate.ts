import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from './database.ts'
import { isContention, isDatabaseDown, isReadOnly, isTlsError } from './errors.ts'
import { executedMigrations, type Migration, type Migrations, pendingOf } from './migrations.ts'
import { newerMigrations, oldestMigration } from './newer-schema.ts'
import { hasSingleConnection } from './pinned-connection.ts'
import { utcText } from './sql.ts'

/** What `migrate` tells about its progress. */
export interface Progress {
  started?(name: string): void
  applied?(name: string, seconds: number): void
  waiting?(reason: string): void
}

/** A migration failed and was rolled back. Those before it stay. */
export class MigrationFailed extends Error {}

/** The database lacks migrations, and this process may not apply them. */
export class SchemaTooOld extends Error {}

/** Kysely's own migrator, which earlier versions use, takes this advisory lock too. */
const LOCK = sql.lit('3853314791062309107')
/** A statement that waits for a table keeps all later requests for that table waiting. */
const TABLE_LOCK_TIMEOUT = '2s'
const MAX_ATTEMPTS = 60
const RETRY_PAUSE_MS = 1000
/** How long processes of earlier versions have to notice that they must end (2 s), and to end (10 s). */
const END_MS = 15_000

/**
 * Brings the schema up to date. Each migration is one transaction, so a process that is killed continues at its next start.
 * Processes take turns. A database that a newer version has upgraded stays as it is.
 * @throws SchemaTooNew if this version cannot work with the upgraded database
 * @throws MigrationFailed if a migration fails
 */
export async function migrate(db: Db, migrations: Migrations, progress: Progress = {}): Promise<void> {
  const executed = await executedMigrations(db)
  if ((await newerMigrations(db, migrations, executed)).length > 0) return
  await applyAll(db, migrations, pendingOf(migrations, executed), progress)
}

/**
 * Applies the migrations up to one of them.
 * @param last the name of the last one
 */
export async function migrateTo(db: Db, migrations: Migrations, last: string): Promise<void> {
  const pending = pendingOf(migrations, await executedMigrations(db))
  await applyAll(
    db,
    migrations,
    pending.filter((name) => name <= last),
  )
}

async function applyAll(
  db: Db,
  migrations: Migrations,
  pending: readonly string[],
  progress: Progress = {},
): Promise<void> {
  if (pending.length === 0) return
  const isNew = (await requireOrder(db, pending)) === undefined
  await inTransaction(db, async (transaction) => {
    await takeTurns(transaction)
    await sql`
      create table if not exists kysely_migration (
        name varchar(255) primary key, timestamp varchar(255) not null)`.execute(transaction)
  })
  const apply = async (on: Db) => {
    for (const name of pending) await applyOne(on, name, migrations[name] as Migration, progress)
  }
  // A new database is empty or complete, which also takes less time than many transactions.
  await (isNew ? inTransaction(db, apply) : apply(db))
}

/**
 * Returns the last migration of the database.
 * @throws MigrationFailed if it comes after pending ones, as after work on two branches
 */
async function requireOrder(db: Db, [first = '']: readonly string[]): Promise<string | undefined> {
  const last = [...(await executedMigrations(db))].sort().at(-1)
  if (last !== undefined && last > first)
    throw new MigrationFailed(
      `The database has the migration ${last}, but not ${first}, which comes before it. Restore a backup from before the upgrade.`,
    )
  return last
}

async function applyOne(db: Db, name: string, migration: Migration, progress: Progress): Promise<void> {
  const withdraw = migration.endsEarlierVersions ? await announce(db, name, progress) : undefined
  try {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await applyOnce(db, name, migration, progress)
      } catch (error) {
        if (!isContention(error) || db.isTransaction || attempt === MAX_ATTEMPTS) throw error
        if (attempt === 1)
          progress.waiting?.('Other work uses the tables of the migration. Trying again for three minutes.')
        await sleep(RETRY_PAUSE_MS)
      }
  } catch (error) {
    await withdraw?.().catch(() => {})
    if (isDatabaseDown(error) || isReadOnly(error)) throw error
    throw new MigrationFailed(
      `The migration ${name} failed and was rolled back: ${reasonOf(error)}. The migrations before it stay. Solve the problem, and start the service or run npm run cli -- upgrade run.`,
      { cause: error },
    )
  }
}

const reasonOf = (error: unknown): string =>
  isContention(error)
    ? 'other work on the database, such as a backup or an export, kept its tables in use for three minutes'
    : (error as Error).message.trim().replace(/\.$/, '')

/** Skips a migration that another process has applied in the meantime. */
async function applyOnce(db: Db, name: string, migration: Migration, progress: Progress): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await takeTurns(transaction)
    if ((await executedMigrations(transaction)).has(name)) return
    progress.started?.(name)
    const start = performance.now()
    await migration.up(transaction as unknown as Kysely<unknown>)
    if (migration.endsEarlierVersions) await requireFor(transaction, name)
    // Versions that use Kysely's migrator expect the order of the names.
    const time = sql`greatest(clock_timestamp(),
      (select max(timestamp)::timestamptz + interval '1 ms' from kysely_migration))`
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${utcText(time)})`.execute(
      transaction,
    )
    progress.applied?.(name, (performance.now() - start) / 1000)
  })
}

/** A restore migrates in its own transaction. */
const inTransaction = (db: Db, work: (transaction: Db) => Promise<void>): Promise<void> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/** Waits for another process that migrates, however long, and only briefly for tables afterward. */
async function takeTurns(transaction: Db): Promise<void> {
  await sql`set local lock_timeout = 0`.execute(transaction)
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction)
  await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_TIMEOUT)}`.execute(transaction)
}

const requireFor = (db: Db, name: string) =>
  sql`update schema_requirements set oldest_migration = ${name}`.execute(db)

/**
 * Says in the database that versions which do not know the migration must end, and waits until their processes have ended: so
 * none of them writes to a schema that it does not know.
 * @returns a function that takes it back
 */
async function announce(db: Db, name: string, progress: Progress): Promise<() => Promise<unknown>> {
  const oldest = await oldestMigration(db)
  if (oldest === undefined || db.isTransaction || hasSingleConnection(db)) return async () => {}
  await requireFor(db, name)
  progress.waiting?.('Waiting 15 s until the processes of earlier versions have ended.')
  await sleep(END_MS)
  // Another process has announced it too, and takes it back itself.
  return oldest === name ? async () => {} : () => requireFor(db, oldest)
}

const DATABASE_TIMEOUT_MS = 30_000

/**
 * Migrates, waiting for a database server that is still starting.
 * @param mayMigrate whether this process may, or only checks that nothing is missing
 * @throws SchemaTooNew if this version cannot work with the database
 * @throws SchemaTooOld if the database lacks migrations that this process may not apply
 * @throws MigrationFailed if a migration fails
 */
export async function migrateWhenReachable(
  db: Db,
  migrations: Migrations,
  log: Logger,
  mayMigrate = true,
): Promise<void> {
  const deadline = Date.now() + DATABASE_TIMEOUT_MS
  const work = mayMigrate ? migrate : requireUpToDate
  const progress: Progress = {
    applied: (migration, seconds) => log.debug({ migration, seconds }, 'migrated the database'),
    waiting: (reason) => log.warn({ reason }, 'the upgrade of the database waits'),
  }
  for (;;) {
    try {
      return await work(db, migrations, progress)
    } catch (error) {
      if (!isDatabaseDown(error) || isTlsError(error) || Date.now() > deadline) throw error
      log.warn({ reason: (error as Error).message }, 'waiting for the database')
      await sleep(1000)
    }
  }
}

async function requireUpToDate(db: Db, migrations: Migrations): Promise<void> {
  const executed = await executedMigrations(db)
  await newerMigrations(db, migrations, executed)
  const pending = pendingOf(migrations, executed)
  if (pending.length > 0)
    throw new SchemaTooOld(
      `The database lacks ${pending.length} migrations, from ${pending[0]} on, and MIGRATE_ON_START is false. Run npm run cli -- upgrade run, and start again.`,
    )
}
