import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** Locks the actions that these companies are part of. Results lock the action first and the companies after it. */
export async function lockActionsOf(transaction: Db, company_ids: string[]): Promise<void> {
  await sql`
    select id from bulk_actions where id in (
      select bulk_action_id from bulk_action_companies where company_id = any(${company_ids})
      union select (item ->> 'bulk_action_id') from trash, json_array_elements(content -> 'bulk_actions') item
        where trash.id = any(${company_ids}) and entity_type = 'company')
    order by id for update`.execute(transaction)
}

/** Takes companies out of all actions, and completes those that only waited for them. */
export async function removeCompanies(transaction: Db, company_ids: string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with removed as (
      delete from bulk_action_companies where company_id = any(${company_ids}) returning bulk_action_id, state),
    counted as (
      select bulk_action_id, count(*)::int as total, count(*) filter (where state = 'processed')::int as processed,
        count(*) filter (where state = 'failed')::int as failed
      from removed group by bulk_action_id)
    update bulk_actions set total_companies = total_companies - total,
      processed_companies = greatest(0, processed_companies - processed),
      failed_companies = greatest(0, failed_companies - failed), updated_at = clock_timestamp()
    from counted where id = bulk_action_id returning id`.execute(transaction)
  await sql`
    update bulk_actions set completed_at = clock_timestamp(), waiting_for = null,
      status = case when processed_companies > 0 or total_companies = 0 then 'completed' else 'failed' end
    where id = any(${rows.map(({ id }) => id)}) and status in ('pending', 'running') and reported_fields is null
      and processed_companies + failed_companies = total_companies`.execute(transaction)
}

/**
 * Puts restored companies back into their actions. Those that were pending count as failed if the action is still
 * running: their jobs are gone, and a retry creates new ones.
 */
export async function returnCompanies(transaction: Db, company_ids: string[]): Promise<void> {
  await sql`
    with kept as materialized (
      select item.bulk_action_id, item.company_id, attempts, error_kind, error, state, bulk_actions.status
      from trash, json_populate_recordset(null::bulk_action_companies, content -> 'bulk_actions') item
      join bulk_actions on bulk_actions.id = item.bulk_action_id
      where trash.id = any(${company_ids}) and entity_type = 'company'),
    returned as (
      insert into bulk_action_companies (bulk_action_id, company_id, state, attempts, error_kind, error)
      select bulk_action_id, company_id, case when is_stranded then 'failed' else state end, attempts,
        case when is_stranded then 'restored' else error_kind end,
        case when is_stranded then 'The company was in the trash while the action was running.' else error end
      from (select *, state = 'pending' and status in ('pending', 'running') as is_stranded from kept) kept
      order by bulk_action_id, company_id
      returning bulk_action_id, state),
    counted as (
      select bulk_action_id, count(*)::int as total, count(*) filter (where state = 'processed')::int as processed,
        count(*) filter (where state = 'failed')::int as failed
      from returned group by bulk_action_id)
    update bulk_actions set total_companies = total_companies + total,
      processed_companies = processed_companies + processed, failed_companies = failed_companies + failed,
      updated_at = clock_timestamp()
    from counted where id = bulk_action_id`.execute(transaction)
}

/** Whether an action has not ended. */
export async function isActive(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from bulk_actions where id = ${id} and status in ('pending', 'running')`.execute(db)
  return rows.length > 0
}
