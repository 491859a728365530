import { type Kysely, sql } from 'kysely'

/** Erasures keep a salted hash of the address, by which the person's old credentials are refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table erasures add column address_hash text`.execute(db)
}
