import { type Kysely, sql } from 'kysely'
import { keepFormerName } from './0054_outbox.ts'

/** Databases that were upgraded before the outbox kept the former name of the log get it too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select where to_regclass('change_events') is null`.execute(db)
  if (rows.length > 0) await keepFormerName(db)
}
