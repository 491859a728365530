import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, readPageAndTotal, utc } from '#src/platform/database/sql.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'

/** A page of the backups that were made on the schedule, newest first. */
export const listBackupRuns = (db: Db, { limit, offset }: PageRequest): Promise<JsonPage> =>
  readPageAndTotal(
    db,
    sql`select ${utc('due_at')}, state, ${utc('started_at')}, ${utc('finished_at')}, name, bytes, rows, files,
      snapshot_seconds, error
      from backup_runs order by due_at desc limit ${limit} offset ${offset}`,
    sql`select count(*) from backup_runs`,
  )
