import { type Kysely, sql } from 'kysely'

/** Tells the batches of a bulk action that were running when it ended from those of its retry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bulk_actions add column attempt int not null default 1`.execute(db)
}
