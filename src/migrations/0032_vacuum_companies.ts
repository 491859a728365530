import { type Kysely, sql } from 'kysely'

/**
 * Lists walk companies from the newest. After an import has been undone they would pass all of its index entries until
 * autovacuum runs, by default when a fifth of the table is gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table companies set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)`.execute(
    db,
  )
}
