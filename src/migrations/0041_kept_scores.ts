import { type Kysely, sql } from 'kysely'

/** What a bulk action does with scores that people entered, and what it has changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bulk_actions add column existing text check (existing in ('keep', 'replace')),
      add column kept_companies int not null default 0`.execute(db)
  await sql`
    alter table bulk_action_companies add column previous_score int, add column score int,
      add column kept boolean not null default false`.execute(db)
}
