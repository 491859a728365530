import { type Kysely, sql } from 'kysely'

/** Which fields of a bulk action an external worker has reported; null: none does, the included worker works on it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bulk_actions add column reported_fields text[]`.execute(db)
}
