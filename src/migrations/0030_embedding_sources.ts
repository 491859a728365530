import { type Kysely, sql } from 'kysely'

/** Whether a model runs at an endpoint, which can serve several. A model in the service is the only one there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The configured model is corrected at startup.
  await sql`alter table embedding_models add column is_at_endpoint boolean not null default false`.execute(db)
}
