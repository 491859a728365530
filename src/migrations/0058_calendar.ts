import { type Kysely, sql } from 'kysely'

/** The secret addresses at which calendar programs read users' tasks and due companies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table calendar_feeds (
      user_email text collate "C" primary key,
      token_hash text not null unique,
      created_at timestamptz not null,
      last_read_at timestamptz
    )`.execute(db)
}
