import { type Kysely, sql } from 'kysely'

/** The URL of the user's picture at the identity provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column picture text`.execute(db)
}
