import { type Kysely, sql } from 'kysely'

/** The fields of a bulk action that an external worker has reported; null if the included worker runs it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bulk_actions add column reported_fields text[]`.execute(db)
}
