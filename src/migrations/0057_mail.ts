import { type Kysely, sql } from 'kysely'

/** The queue of mails. A mail without `next_attempt_at` is finished: sent, refused for good, or without content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id text collate "C" primary key,
      user_email text collate "C" not null,
      kind text collate "C" not null,
      dedupe text collate "C" not null unique,
      notification_ids text[] collate "C" not null default '{}',
      created_at timestamptz not null default clock_timestamp(),
      next_attempt_at timestamptz,
      attempts int not null default 0,
      sent_at timestamptz,
      error text
    )`.execute(db)
  await sql`
    create index mails_waiting on mails (next_attempt_at, user_email) where next_attempt_at is not null`.execute(
    db,
  )
  await sql`create index mails_finished on mails (created_at) where next_attempt_at is null`.execute(db)
}
