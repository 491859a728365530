import { type Kysely, sql } from 'kysely'

/**
 * The companies of an action are found by its primary key alone. A new action is in no statistics, so PostgreSQL took it
 * for one of few companies and read all of them, by an index over their states, wherever it needed a hundred.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index bulk_action_companies_by_state`.execute(db)
  await sql`
    create index bulk_action_companies_failed on bulk_action_companies (bulk_action_id, company_id)
    where state = 'failed'`.execute(db)
}
