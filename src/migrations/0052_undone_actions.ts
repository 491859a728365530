import { type Kysely, sql } from 'kysely'

/** Timelines look up the undos of a change, also those that were undone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index actions_by_undone on actions (undoes, id) where undoes is not null`.execute(db)
}
