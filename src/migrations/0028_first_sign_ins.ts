import { type Kysely, sql } from 'kysely'

/** When users first signed in, so that an admin who never did is not taken for one who can administer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column signed_in_at timestamptz`.execute(db)
  await sql`
    update users set signed_in_at = least(
      (select min(created_at) from sessions where user_email = users.email),
      (select min(at) from audit_entries where user_email = users.email and event <> 'sign_in_refused'))`.execute(
    db,
  )
}
