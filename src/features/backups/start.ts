import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#src/platform/config/config.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import { type BackupStatus, makeDueBackup, readBackupStatus } from './scheduled.ts'
import { openTarget } from './target.ts'

const CHECK_INTERVAL_MS = 30_000

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
  const folder = path.join(config.dataFolder, 'uploads')
  const run = async () => {
    const target = await openTarget(schedule.target, config.objects.connection)
    const { minutes } = schedule
    await makeDueBackup({ source, target, minutes, timeZone: config.timeZone, passphrase, folder, log })
    Object.assign(backupStatus, await readBackupStatus(db))
  }
  return repeat(run, CHECK_INTERVAL_MS, log)
}
