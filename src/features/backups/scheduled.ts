import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '#src/platform/config/config.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, readPageAndTotal, utc } from '#src/platform/database/sql.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { memoize } from '#src/platform/single-flight.ts'
import { openArchive, readArchive } from './archive.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupTarget } from './backup-target.ts'
import { type BackupSource, type Workplace, withBackupFile, workplaceOf } from './create.ts'
import { rowsIn } from './manifest.ts'
import { backupName, expiredBackups, lastDue } from './schedule.ts'
import { openTarget } from './target.ts'

/** Another process takes over from one that does not extend its claim. */
const CLAIM_SECONDS = 120
const EXTEND_INTERVAL_MS = 30_000
const CHECK_INTERVAL_MS = 30_000
const RETRY_MINUTES = 15
const DAY_MS = 86_400_000
/** Entries of the list of past backups. */
const KEPT_RUNS = 400

export interface ScheduledBackups {
  source: BackupSource
  target: BackupTarget
  /** After midnight. */
  minutes: number
  timeZone: string
  passphrase: string | undefined
  /** For the file until it is checked. */
  workplace: Workplace
  log: Logger
}

/**
 * Makes the backup that is due, unless it is made or being made by another process. It is checked before it is stored; then
 * expired ones are deleted. A failure is retried after 15 minutes.
 * @param now in milliseconds
 * @returns the name of the backup that was made
 */
export async function makeDueBackup(
  backups: ScheduledBackups,
  now = Date.now(),
): Promise<string | undefined> {
  const { db } = backups.source
  const due = new Date(lastDue(now, backups.minutes, backups.timeZone))
  const claimed = await claim(db, due)
  if (!claimed) return undefined
  const extension = setInterval(() => extend(db, due).catch(() => {}), EXTEND_INTERVAL_MS)
  try {
    const made = await makeBackup(backups, due, claimed)
    await finish(db, due, made)
    backups.log.info(made, 'backup made')
    return made.name
  } catch (error) {
    const { message } = error as Error
    backups.log.error({ err: error }, 'backup failed')
    await sql`
      update backup_runs set state = 'failed', finished_at = now(), error = ${message},
        claimed_until = now() + make_interval(mins => ${RETRY_MINUTES})
      where due_at = ${due}`.execute(db)
    return undefined
  } finally {
    clearInterval(extension)
  }
}

interface Claim {
  /** Whether this database has tried to make the backup before. */
  isRetry: boolean
}

async function claim(db: Db, due: Date): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    insert into backup_runs as run (due_at, state, started_at, claimed_until)
    values (${due}, 'running', now(), now() + make_interval(secs => ${CLAIM_SECONDS}))
    on conflict (due_at) do update
      set state = 'running', started_at = now(), claimed_until = excluded.claimed_until, error = null
      where run.state <> 'completed' and run.claimed_until < now()
    returning xmax <> 0 as "isRetry"`.execute(db)
  return rows[0]
}

async function extend(db: Db, due: Date): Promise<void> {
  await sql`
    update backup_runs set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where due_at = ${due}`.execute(db)
}

interface Made {
  name: string
  bytes: number
  rows: number
  files: number
  snapshot_seconds: number
}

async function makeBackup(
  { source, target, passphrase, workplace }: ScheduledBackups,
  due: Date,
  { isRetry }: Claim,
): Promise<Made> {
  const name = backupName(due.getTime())
  // A new service with the target of one that was lost must not replace what it is to be restored from.
  if (!isRetry && (await target.list()).includes(name))
    throw new BackupRefused(
      `${name} exists already: another database made it. Set BACKUP_TARGET to another place.`,
    )
  return withBackupFile(source, workplace, passphrase, async (file) => {
    const { manifest } = await readArchive(openArchive(file), passphrase)
    await target.put(name, file)
    for (const expired of expiredBackups(await target.list())) await target.delete(expired)
    const { size: bytes } = await stat(file)
    const { files, seconds: snapshot_seconds } = manifest
    return { name, bytes, rows: rowsIn(manifest), files, snapshot_seconds }
  })
}

async function finish(db: Db, due: Date, made: Made): Promise<void> {
  await sql`
    update backup_runs set state = 'completed', finished_at = now(), name = ${made.name}, bytes = ${made.bytes},
      rows = ${made.rows}, files = ${made.files}, snapshot_seconds = ${made.snapshot_seconds}
    where due_at = ${due}`.execute(db)
  await sql`
    delete from backup_runs where due_at < (select due_at from backup_runs order by due_at desc offset ${KEPT_RUNS} limit 1)`.execute(
    db,
  )
}

/** What operators should know about scheduled backups. */
export interface BackupStatus {
  /** When the last one was finished, in milliseconds. */
  lastAt: number | undefined
  /** A full sentence, if the last one is more than a day late. */
  warning: string | undefined
}

/** Reads whether backups are late: more than a day after one was due, none has been made since. */
export async function readBackupStatus(db: Db, now = Date.now()): Promise<BackupStatus> {
  const { rows } = await sql<{
    last_due: Date | null
    last_at: Date | null
    first: Date
    error: string | null
  }>`
    select max(due_at) filter (where state = 'completed') as last_due,
      max(finished_at) filter (where state = 'completed') as last_at, min(due_at) as first,
      (array_agg(error order by due_at desc))[1] as error
    from backup_runs`.execute(db)
  const { last_due, last_at, first, error } = rows[0] ?? {}
  const since = last_due ? last_due.getTime() + DAY_MS : first?.getTime()
  const isLate = since !== undefined && now - since > DAY_MS
  const last = last_at ? `The last backup is of ${last_at.toISOString()}.` : 'There is no backup yet.'
  // Anyone can read it, so the error, which may contain addresses, is only in the list of backups.
  const warning = isLate ? `Backups are late. ${last}${error ? ' The last attempt failed.' : ''}` : undefined
  return { lastAt: last_at?.getTime(), warning }
}

/** A page of the backups that were made on the schedule, newest first. */
export const listBackupRuns = (db: Db, { limit, offset }: PageRequest): Promise<JsonPage> =>
  readPageAndTotal(
    db,
    sql`select ${utc('due_at')}, state, ${utc('started_at')}, ${utc('finished_at')}, name, bytes, rows, files,
      snapshot_seconds, error
      from backup_runs order by due_at desc limit ${limit} offset ${offset}`,
    sql`select count(*) from backup_runs`,
  )

interface Parts {
  config: Config
  backgroundDb: Db
  /** Is kept up to date. */
  backupStatus: BackupStatus
  objects: Objects
  log: Logger
}

/** Makes backups on the schedule, if there is one. Returns a function that stops it. */
export function startBackups({ config, backgroundDb: db, backupStatus, objects, log }: Parts): () => unknown {
  const { passphrase, schedule } = config.backups
  if (!schedule) return () => {}
  const source = { db, objects, settings: config.shownSettings }
  const workplace = workplaceOf(config)
  const { minutes } = schedule
  const openOnce = memoize(() => openTarget(schedule.target, config.objects.connection))
  const run = async () => {
    const target = await openOnce()
    await makeDueBackup({ source, target, minutes, timeZone: config.timeZone, passphrase, workplace, log })
    Object.assign(backupStatus, await readBackupStatus(db))
  }
  return repeat(run, CHECK_INTERVAL_MS, log)
}
