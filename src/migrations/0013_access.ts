import { type Kysely, sql } from 'kysely'

/** Disabled users, sessions that can be ended, and API keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column disabled_at timestamptz,
      add column access_changed_at timestamptz not null default now()`.execute(db)
  await sql`create index users_by_access_change on users (access_changed_at)`.execute(db)
  await sql`
    create table sessions (
      id text collate "C" primary key,
      user_email text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      address text,
      browser text,
      ended_at timestamptz
    )`.execute(db)
  await sql`create index sessions_by_user on sessions (user_email, id)`.execute(db)
  await sql`create index sessions_by_end on sessions (ended_at) where ended_at is not null`.execute(db)
  await sql`create index sessions_by_expiry on sessions (expires_at)`.execute(db)
  await sql`
    create table api_keys (
      id text collate "C" primary key,
      name text not null,
      user_email text not null,
      prefix text not null,
      hash text collate "C" not null constraint api_keys_hash_unique unique,
      scopes text[] not null,
      role text not null,
      created_at timestamptz not null,
      expires_at timestamptz,
      last_used_at timestamptz,
      last_used_address text,
      revoked_at timestamptz,
      access_changed_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index api_keys_by_user on api_keys (user_email, id)`.execute(db)
  await sql`create index api_keys_by_access_change on api_keys (access_changed_at)`.execute(db)
}
