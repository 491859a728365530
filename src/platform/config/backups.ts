import path from 'node:path'
import type { Settings } from './settings.ts'

/** Scheduled backups. */
export interface BackupSchedule {
  /** The time of day, in minutes after midnight, in the time zone of the workspace. */
  readonly minutes: number
  /** A folder, or `s3://bucket/prefix`. */
  readonly target: string
}

export interface BackupsConfig {
  /** Encrypts backups; undefined: they are not encrypted. */
  readonly passphrase: string | undefined
  /** undefined: no backups are made on a schedule. */
  readonly schedule: BackupSchedule | undefined
}

export function readBackups(settings: Settings): BackupsConfig {
  const passphrase = settings.text('BACKUP_PASSPHRASE')
  const time = settings.text('BACKUP_SCHEDULE')
  const target = settings.text('BACKUP_TARGET')
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time ?? '') ?? []
  if (time && !hours) settings.reject('BACKUP_SCHEDULE', 'a time of day such as 03:00')
  if (Boolean(time) !== Boolean(target))
    settings.addError(
      time ? 'BACKUP_TARGET' : 'BACKUP_SCHEDULE',
      'is missing: set BACKUP_SCHEDULE and BACKUP_TARGET together',
    )
  if (target?.startsWith('s3:') && !/^s3:\/\/[^/]+(\/.*)?$/.test(target))
    settings.reject('BACKUP_TARGET', 'a folder, or s3://bucket/prefix')
  rejectStorage(settings, target)
  if (!hours || !minutes || !target) return Object.freeze({ passphrase, schedule: undefined })
  const schedule = Object.freeze({ minutes: Number(hours) * 60 + Number(minutes), target })
  return Object.freeze({ passphrase, schedule })
}

/** Backups among other files would be part of the next one, and a restore would find the storage not empty. */
function rejectStorage(settings: Settings, target = ''): void {
  const [, bucket] = /^s3:\/\/([^/]+)/.exec(target) ?? []
  const isStorage = bucket
    ? settings.text('OBJECTS') === 's3' && bucket === settings.text('S3_BUCKET')
    : `${path.resolve(target)}/`.startsWith(
        `${path.resolve(settings.text('DATA_DIR') ?? './data', 'objects')}/`,
      )
  if (target && isStorage)
    settings.addError('BACKUP_TARGET', 'must be another bucket or folder than that of OBJECTS')
}
