import { DESCRIPTIONS } from '#src/migrations/descriptions.ts'
import { migrations } from '#src/migrations/migrations.ts'
import type { Config } from '#src/platform/config/config.ts'
import type { Database, Db } from '#src/platform/database/database.ts'
import { isDatabaseDown, isReadOnly } from '#src/platform/database/errors.ts'
import { MigrationFailed, migrate } from '#src/platform/database/migrate.ts'
import { executedMigrations, type Migrations, pendingOf } from '#src/platform/database/migrations.ts'
import { newerMigrations, SchemaTooNew } from '#src/platform/database/newer-schema.ts'
import { version } from '#src/platform/process/version.ts'
import { backgroundSteps } from './background-steps.ts'
import { backUpTo, writeBackupOf } from './backup.ts'
import { InputError, UsageError } from './input-error.ts'
import { explainOpening, requireExisting, withAnyDatabase } from './open-database.ts'
import { readConfig } from './read-config.ts'
import { estimate, shown } from './upgrade-estimate.ts'

/** The exit status of `upgrade status` while migrations are pending. */
const PENDING = 3
/** Since then, the release before a migration works with the schema, unless the migration ends it. */
const FIRST_COMPATIBLE = '0054_outbox'

/**
 * `upgrade status`, `upgrade plan`, and `upgrade run`. Returns the exit status.
 * @throws UsageError for an option of another command, InputError if the command fails
 */
export async function upgradeCommand([action, extraArgument]: string[], backup?: string): Promise<number> {
  if (extraArgument) throw new UsageError(`Unexpected argument: ${extraArgument}.`)
  if (backup !== undefined && action !== 'run')
    throw new UsageError('--backup is an option of upgrade run only.')
  if (backup === '') throw new UsageError('--backup needs a file.')
  if (action === 'run') return run(backup)
  return action === 'plan' ? printPlan() : printStatus()
}

interface State {
  executed: ReadonlySet<string>
  /** Those of this version that have not run, in their order. */
  pending: string[]
  /** Those of a newer version, with which this one can work. */
  newer: string[]
}

async function readState(db: Db): Promise<State> {
  try {
    const executed = await executedMigrations(db)
    return {
      executed,
      pending: pendingOf(migrations, executed),
      newer: await newerMigrations(db, migrations, executed),
    }
  } catch (error) {
    if (error instanceof SchemaTooNew) throw new InputError(error.message, { cause: error })
    return explainOpening(error)
  }
}

/** Prints how far the database is. Returns the exit status: 0 if it is up to date, else 3. */
async function printStatus(): Promise<number> {
  const config = readConfig()
  requireExisting(config)
  return withAnyDatabase(config, async ({ background: db }) => {
    const { executed, pending, newer } = await readState(db)
    const last = [...executed].sort().at(-1)
    console.log(`Version ${version}, ${config.databaseUrl ? 'PostgreSQL' : 'embedded database'}.`)
    console.log(last ? `The last migration of the database is ${last}.` : 'The database is empty.')
    if (newer.length > 0)
      console.log(
        `A newer version has added ${newer.join(', ')}. This version works with that, but should be replaced.`,
      )
    console.log(
      pending.length > 0
        ? `${counted(pending)} pending: ${pending.join(', ')}. To see what they do: npm run cli -- upgrade plan`
        : 'The database is up to date.',
    )
    if (pending.length > 0) return PENDING
    const steps = await backgroundSteps(db, config)
    console.log(
      steps.length > 0 ? 'The service still does in the background:' : 'No background work is left.',
    )
    for (const step of steps) console.log(`  ${step}`)
    return 0
  })
}

/** Prints what `upgrade run` would do. */
async function printPlan(): Promise<number> {
  const config = readConfig()
  requireExisting(config)
  return withAnyDatabase(config, async ({ background: db }) => {
    const state = await readState(db)
    if (state.pending.length === 0) {
      console.log(upToDate(state))
      return 0
    }
    console.log(`${counted(state.pending)} pending. In this order, each is one transaction:\n`)
    const width = Math.max(...state.pending.map((name) => name.length))
    let total = 0
    for (const name of state.pending) {
      const { text, seconds } = DESCRIPTIONS[name as keyof typeof DESCRIPTIONS]
      const estimated = await estimate(db, seconds ?? {})
      total += estimated.seconds
      console.log(`  ${name.padEnd(width)}  ${text} ${capitalized(shown(estimated))}.`)
    }
    console.log(
      `\nTogether ${shown({ seconds: total })}. That is an estimate from the numbers of rows; a slow disk takes longer.`,
    )
    console.log(whoServes(config, state, migrations))
    console.log('Upgrade, after a backup: npm run cli -- upgrade run --backup FILE')
    return 0
  })
}

/**
 * Applies the pending migrations one by one.
 * @param backup the file for a backup before that; undefined: none
 * @throws InputError if the backup or a migration fails
 */
async function run(backup: string | undefined): Promise<number> {
  const config = readConfig()
  return withAnyDatabase(config, async (database) => {
    const state = await readState(database.background)
    if (state.pending.length === 0) {
      console.log(upToDate(state))
      if (backup !== undefined) console.log('There is nothing to upgrade, so no backup was made.')
      return 0
    }
    if (state.newer.length > 0)
      throw new InputError(
        `The database has the migration ${state.newer[0]} of a newer version, but not ${state.pending[0]} of this one. Start the newer version.`,
      )
    if (state.executed.size > 0) {
      if (config.databaseUrl) console.log(whoServes(config, state, migrations))
      if (backup !== undefined)
        await backUpTo(config, backup, (output) => writeBackupOf(config, database, output))
    }
    await apply(database)
    console.log(upToDate({ executed: await executedMigrations(database.background) }))
    return 0
  })
}

async function apply({ background: db }: Database): Promise<void> {
  let current: string | undefined
  try {
    await migrate(db, migrations, {
      started: (name) => {
        if (name !== current) console.log(`${name}: ${DESCRIPTIONS[name as keyof typeof DESCRIPTIONS].text}`)
        current = name
      },
      applied: (_name, seconds) => console.log(`  done in ${seconds.toFixed(1)} s`),
      waiting: (reason) => console.log(`  ${reason}`),
    })
  } catch (error) {
    if (error instanceof MigrationFailed || error instanceof SchemaTooNew)
      throw new InputError(error.message, { cause: error })
    const { message } = error as Error
    if (isReadOnly(error))
      throw new InputError(`The database takes no writes (${message}): it is a standby, or its disk is full.`)
    if (isDatabaseDown(error))
      throw new InputError(
        `The connection to the database was lost (${message}) during ${current ?? 'the first migration'}. The migrations before it stay. Run the command again to continue.`,
        { cause: error },
      )
    throw error
  }
}

const upToDate = ({ executed }: Pick<State, 'executed'>): string =>
  `The database is up to date: it has all ${executed.size} migrations.`

const counted = ({ length }: readonly string[]): string =>
  length === 1 ? '1 migration is' : `${length} migrations are`

const capitalized = (text: string): string => text[0]?.toUpperCase() + text.slice(1)

/** Whether processes of the version before may go on during the upgrade. */
export function whoServes(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  { pending }: Pick<State, 'pending'>,
  known: Migrations,
): string {
  if (!databaseUrl) return 'Stop the service first: only one process can open the embedded database.'
  if ((pending[0] ?? '') < FIRST_COMPATIBLE)
    return `Stop all processes of the earlier version first: they cannot work with the migrations before ${FIRST_COMPATIBLE}.`
  const ending = pending.find((name) => known[name]?.endsEarlierVersions)
  if (ending)
    return `Processes of the earlier version end before ${ending}: they cannot work with it. Start this version right after the upgrade.`
  return 'Processes of the previous version keep serving. Replace them one by one after the upgrade.'
}
