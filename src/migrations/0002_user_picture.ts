import { type Kysely, sql } from 'kysely'

/** The picture that the identity provider has of a user, as an address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column picture text`.execute(db)
}
