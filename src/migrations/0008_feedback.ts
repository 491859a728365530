import { type Kysely, sql } from 'kysely'

/** Feedback and the issue it was filed as. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feedback (
      id text collate "C" primary key,
      type text not null,
      title text not null,
      description text not null,
      page text,
      user_email text,
      state text not null default 'pending' check (state in ('pending', 'filed')),
      tracker text,
      issue_id text,
      url text,
      attempts int not null default 1,
      last_failure text,
      not_before timestamptz not null,
      caller text,
      idempotency_key text collate "C",
      request_hash text not null,
      created_at timestamptz not null,
      filed_at timestamptz,
      constraint filed_feedback_has_an_issue check (
        state = 'pending' or (tracker is not null and issue_id is not null and url is not null))
    )`.execute(db)
  await sql`
    create unique index feedback_by_idempotency_key on feedback (caller, idempotency_key) nulls not distinct
    where idempotency_key is not null`.execute(db)
  await sql`create index feedback_by_state on feedback (state, id)`.execute(db)
}
