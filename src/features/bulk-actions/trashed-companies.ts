import { sql } from 'kysely'
import type { CompanyAttachment } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'

/** Locks the actions that these companies are part of. Results lock the action first and the companies after it. */
export async function lockActionsOf(transaction: Db, company_ids: string[]): Promise<void> {
  await sql`
    select id from bulk_actions where id in (
      select bulk_action_id from bulk_action_companies where company_id = any(${company_ids})
      union select (item ->> 'bulk_action_id') from trash, json_array_elements(content -> 'bulk_actions') item
        where trash.id = any(${company_ids}) and entity_type = 'company'
      union select item from trash, json_array_elements_text(content -> 'moved_bulk_actions') item
        where trash.id = any(${company_ids}) and entity_type = 'company')
    order by id for update`.execute(transaction)
}

/** Counts rows by action and state. */
const countPlaces = sql`
      select bulk_action_id, count(*)::int as total, count(*) filter (where state = 'processed')::int as processed,
        count(*) filter (where state = 'failed')::int as failed,
        count(*) filter (where kept and state = 'processed')::int as entered`

/**
 * Takes companies out of all actions, and completes those that only waited for them.
 * @returns the number of rows that they had
 */
export async function removeCompanies(transaction: Db, company_ids: string[]): Promise<number> {
  const { rows } = await sql<{ id: string; removed: number }>`
    with removed as (
      delete from bulk_action_companies where company_id = any(${company_ids}) returning bulk_action_id, state, kept),
    counted as (${countPlaces}
      from removed group by bulk_action_id)
    update bulk_actions set total_companies = total_companies - total,
      processed_companies = greatest(0, processed_companies - processed),
      failed_companies = greatest(0, failed_companies - failed),
      kept_companies = greatest(0, kept_companies - entered), updated_at = clock_timestamp()
    from counted where id = bulk_action_id returning id, total as removed`.execute(transaction)
  await sql`
    update bulk_actions set completed_at = clock_timestamp(), waiting_for = null,
      status = case when processed_companies > 0 or total_companies = 0 then 'completed' else 'failed' end
    where id = any(${rows.map(({ id }) => id)}) and status in ('pending', 'running') and reported_fields is null
      and processed_companies + failed_companies = total_companies`.execute(transaction)
  return rows.reduce((sum, { removed }) => sum + removed, 0)
}

/** A pending company of a running action has a job in the queue, which knows its id. */
const hasJob = sql`(item.state = 'pending' and bulk_actions.status in ('pending', 'running'))`

/**
 * Moves the rows of companies in actions to another company, except where it has one of its own, or a job is waiting for theirs.
 * @param company_ids if several of them are in an action, the row of the first one is taken over
 * @returns the ids of the actions, by company
 */
export async function moveActionRows(
  transaction: Db,
  company_ids: string[],
  to: string,
): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ company_id: string; ids: string[] }>`
    with first as (
      select distinct on (item.bulk_action_id) item.bulk_action_id, item.company_id from bulk_action_companies item
      join bulk_actions on bulk_actions.id = item.bulk_action_id
      where item.company_id = any(${company_ids}) and not ${hasJob} and not exists (
        select from bulk_action_companies own where own.bulk_action_id = item.bulk_action_id and own.company_id = ${to})
      order by item.bulk_action_id, array_position(${company_ids}::text[], item.company_id)),
    moved as (
      update bulk_action_companies item set company_id = ${to} from first
      where item.bulk_action_id = first.bulk_action_id and item.company_id = first.company_id)
    select company_id, json_agg(bulk_action_id order by bulk_action_id) as ids from first group by company_id`.execute(
    transaction,
  )
  return Object.fromEntries(rows.map(({ company_id, ids }) => [company_id, ids]))
}

/** Returns the rows that merged companies had passed on to another company. */
export async function leaveActionRows(transaction: Db, company_ids: string[], from: string): Promise<void> {
  await sql`
    update bulk_action_companies item set company_id = trash.id
    from trash, json_array_elements_text(content -> 'moved_bulk_actions') moved, bulk_actions
    where trash.id = any(${company_ids}) and entity_type = 'company' and item.bulk_action_id = moved
      and item.company_id = ${from} and bulk_actions.id = moved and not ${hasJob}`.execute(transaction)
}

/**
 * Puts restored companies back into their actions. Those that were pending count as failed if the action is still
 * running: their jobs are gone, and a retry creates new ones.
 */
async function returnCompanies(transaction: Db, company_ids: string[]): Promise<void> {
  await sql`
    with stored as materialized (
      select item.bulk_action_id, item.company_id, attempts, error_kind, error, state, previous_score, score,
        coalesce(kept, false) as kept, bulk_actions.status
      from trash, json_populate_recordset(null::bulk_action_companies, content -> 'bulk_actions') item
      join bulk_actions on bulk_actions.id = item.bulk_action_id
      where trash.id = any(${company_ids}) and entity_type = 'company'),
    returned as (
      insert into bulk_action_companies (bulk_action_id, company_id, state, attempts, error_kind, error,
        previous_score, score, kept)
      select bulk_action_id, company_id, case when is_stranded then 'failed' else state end, attempts,
        case when is_stranded then 'restored' else error_kind end,
        case when is_stranded then 'The company was in the trash while the action was running.' else error end,
        previous_score, score, kept
      from (select *, state = 'pending' and status in ('pending', 'running') as is_stranded from stored) stored
      order by bulk_action_id, company_id
      returning bulk_action_id, state, kept),
    counted as (${countPlaces}
      from returned group by bulk_action_id)
    update bulk_actions set total_companies = total_companies + total,
      processed_companies = processed_companies + processed, failed_companies = failed_companies + failed,
      kept_companies = kept_companies + entered, updated_at = clock_timestamp()
    from counted where id = bulk_action_id`.execute(transaction)
}

/** Whether an action has not ended. */
export async function isActive(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from bulk_actions where id = ${id} and status in ('pending', 'running')`.execute(db)
  return rows.length > 0
}

/** The places of companies in bulk actions, which go to the trash and come back with them. */
export const bulkActionPlaces: CompanyAttachment = {
  lock: lockActionsOf,
  content: sql`'bulk_actions', coalesce((select json_agg(item order by bulk_action_id)
    from bulk_action_companies item where item.company_id = record.id), '[]')`,
  remove: removeCompanies,
  restore: returnCompanies,
}
