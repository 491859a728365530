import { type Kysely, sql } from 'kysely'

/** Responses to requests with an `Idempotency-Key`. Without a status, the request is being handled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      principal text collate "C" not null,
      route text collate "C" not null,
      key text collate "C" not null,
      request_hash text,
      status int,
      headers json,
      body text,
      created_at timestamptz not null default clock_timestamp(),
      claimed_until timestamptz,
      primary key (principal, route, key)
    )`.execute(db)
  await sql`create index idempotency_keys_by_time on idempotency_keys (created_at)`.execute(db)
}
