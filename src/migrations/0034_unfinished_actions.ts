import { type Kysely, sql } from 'kysely'

/** Actions that change all of their records or none, in several transactions. The time is that of the last one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unfinished_actions (
      action_id text collate "C" primary key,
      advanced_at timestamptz not null default clock_timestamp()
    )`.execute(db)
}
