import { type Kysely, sql } from 'kysely'

/**
 * Tokens to unsubscribe are found by their hashes, and stored encrypted. SQL does not know the key, so background work moves
 * those in `notification_settings`. The previous release reads and writes them there until then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notification_settings alter column unsubscribe_token drop not null`.execute(db)
  // sealed is null for tokens that were replaced: addresses in old mails still work.
  await sql`
    create table unsubscribe_tokens (
      hash text collate "C" primary key,
      user_email text collate "C" not null,
      sealed text,
      created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
    )`.execute(db)
  await sql`
    create unique index unsubscribe_tokens_of_user on unsubscribe_tokens (user_email) where sealed is not null`.execute(
    db,
  )
}
