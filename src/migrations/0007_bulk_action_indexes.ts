import { type Kysely, sql } from 'kysely'

/**
 * Finds the companies of an action through the primary key alone. A new action is missing from the statistics, so
 * PostgreSQL assumed few companies and read all of them through the index on states to get a hundred.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index bulk_action_companies_by_state`.execute(db)
  await sql`
    create index bulk_action_companies_failed on bulk_action_companies (bulk_action_id, company_id)
    where state = 'failed'`.execute(db)
}
