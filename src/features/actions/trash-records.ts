import { type RawBuilder, sql } from 'kysely'
import { type Action, changesOf, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { lockActionsOf, removeCompanies } from '#src/features/bulk-actions/index.ts'
import { companyActivity } from '#src/features/companies/index.ts'
import { MAX_THESIS_COMPANIES } from '#src/features/trash/index.ts'
import { writtenColumns } from '#src/platform/database/columns.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { all, timeAfter, utc } from '#src/platform/database/sql.ts'
import { Conflict } from '#src/platform/errors.ts'

interface Trashed {
  entity_type: 'company' | 'dealflow' | 'thesis'
  name: RawBuilder<unknown>
  company_id: RawBuilder<unknown>
  parent_id?: RawBuilder<unknown>
  /** What hangs on the record, as SQL of JSON fields: `'key', value, …`. */
  attached?: RawBuilder<unknown>
}

/** Copies rows to the trash; `record` is the row. */
export async function copyToTrash(
  transaction: Db,
  action: Action,
  table: string,
  where: RawBuilder<unknown>,
  { entity_type, name, company_id, parent_id, attached }: Trashed,
): Promise<void> {
  const columns = sql.join((await writtenColumns(transaction, table)).map((column) => sql.id(column)))
  await sql`
    insert into trash (id, entity_type, name, company_id, parent_id, user_email, action_id, deleted_at, content)
    select id, ${entity_type}, ${name}, ${company_id}, ${parent_id ?? sql`null`},
      ${action.user?.email ?? null}, ${action.id}, clock_timestamp(),
      json_build_object('record', row_to_json(record) ${attached ? sql`, ${attached}` : sql``})
    from (select ${columns} from ${sql.table(table)} where ${where}) record`.execute(transaction)
}

/**
 * Moves companies with their deals to the trash.
 * @param conditions which of them, once they are locked
 * @returns the ids of those that exist
 */
export async function trashCompanies(
  transaction: Db,
  action: Action,
  ids: string[],
  conditions: RawBuilder<unknown>[] = [],
): Promise<string[]> {
  await lockActionsOf(transaction, ids)
  const companies = await lockIds(
    transaction,
    sql`companies`,
    all([sql`companies.id = any(${ids})`, ...conditions]),
  )
  if (companies.length === 0) return companies
  const theirs = sql`company_id = any(${companies})`
  const deals = await readDealIds(transaction, theirs)
  await copyToTrash(transaction, action, 'companies', sql`id = any(${companies})`, {
    entity_type: 'company',
    name: sql`name`,
    company_id: sql`id`,
    attached: sql`'bulk_actions', coalesce((select json_agg(item order by bulk_action_id)
      from bulk_action_companies item where item.company_id = record.id), '[]')`,
  })
  await copyToTrash(transaction, action, 'dealflow', theirs, { ...dealEntry, parent_id: sql`company_id` })
  await removeCompanies(transaction, companies)
  await sql`delete from dealflow where ${theirs}`.execute(transaction)
  await sql`delete from companies where id = any(${companies})`.execute(transaction)
  await recordAction(transaction, action, [
    ...companies.map((id) => companyActivity('company_deleted', id)),
    ...deals.map((deal) => dealActivity('dealflow_deleted', deal)),
  ])
  return companies
}

const dealEntry: Trashed = {
  entity_type: 'dealflow',
  name: sql`(select companies.name from companies where companies.id = record.company_id)`,
  company_id: sql`company_id`,
}

/**
 * Moves deals to the trash.
 * @returns the ids of those that exist
 */
export async function trashDeals(transaction: Db, action: Action, ids: string[]): Promise<string[]> {
  const where = sql`id = any(${ids})`
  const deals = await readDealIds(transaction, where)
  await copyToTrash(transaction, action, 'dealflow', where, dealEntry)
  await sql`delete from dealflow where ${where}`.execute(transaction)
  await recordAction(
    transaction,
    action,
    deals.map((deal) => dealActivity('dealflow_deleted', deal)),
  )
  return deals.map(({ id }) => id)
}

/**
 * Moves a thesis to the trash. Its companies remain without a thesis.
 * @returns whether it exists
 * @throws Conflict if it has too many companies
 */
export async function trashThesis(transaction: Db, action: Action, id: string): Promise<boolean> {
  const [found] = await lockIds(transaction, sql`theses`, sql`id = ${id}`)
  if (!found) return false
  const companies = await lockCompaniesOf(transaction, id)
  await copyToTrash(transaction, action, 'theses', sql`id = ${id}`, {
    entity_type: 'thesis',
    name: sql`title`,
    company_id: sql`null`,
    attached: sql`'companies', ${JSON.stringify(companies.map((company) => company.id))}::json,
      'bulk_actions', coalesce((select json_agg(bulk_actions.id order by bulk_actions.id) from bulk_actions
        where thesis_id = record.id), '[]')`,
  })
  const changes = await setThesis(transaction, companies, id, null)
  await sql`delete from theses where id = ${id}`.execute(transaction)
  await recordAction(transaction, action, [
    ...changes,
    { activity_type: 'thesis_deleted', entity_type: 'thesis', entity_id: id },
  ])
  return true
}

interface LockedCompany {
  id: string
  updated_at: string
}

async function lockCompaniesOf(transaction: Db, thesis_id: string): Promise<LockedCompany[]> {
  const { rows } = await sql<LockedCompany>`
    select id, ${utc('updated_at')} from companies where thesis_id = ${thesis_id} order by id
    limit ${MAX_THESIS_COMPANIES + 1} for no key update`.execute(transaction)
  if (rows.length > MAX_THESIS_COMPANIES)
    throw new Conflict(
      `The thesis has more than ${MAX_THESIS_COMPANIES} companies. Give them another thesis first: PATCH /api/companies changes many at once.`,
    )
  return rows
}

/** Gives locked companies another thesis, or none. Returns the activity to record. */
export async function setThesis(
  transaction: Db,
  companies: LockedCompany[],
  from: string | null,
  to: string | null,
): Promise<NewActivity[]> {
  const changed = companies.map(({ id, updated_at }) => ({ changed_id: id, time: timeAfter(updated_at) }))
  await sql`
    update companies set thesis_id = ${to}, updated_at = time::timestamptz
    from ${rowsFrom('changed', { changed_id: 'text', time: 'text' }, changed)} where id = changed_id`.execute(
    transaction,
  )
  return changed.map(({ changed_id, time }) => ({
    ...companyActivity('company_updated', changed_id, { fields: ['thesis_id'] }),
    changes: changesOf({ thesis_id: from }, { thesis_id: to }, ['thesis_id']),
    timestamp: time,
  }))
}

async function lockIds(
  transaction: Db,
  table: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${table} where ${where} order by id for update`.execute(transaction)
  return rows.map(({ id }) => id)
}

export interface DealOfCompany {
  id: string
  company_id: string
}

async function readDealIds(transaction: Db, where: RawBuilder<unknown>): Promise<DealOfCompany[]> {
  const { rows } = await sql<DealOfCompany>`
    select id, company_id from dealflow where ${where} order by id for update`.execute(transaction)
  return rows
}

/** An activity record about a deal. */
export const dealActivity = (
  activity_type: `dealflow_${'deleted' | 'restored' | 'purged'}`,
  { id, company_id }: DealOfCompany,
): NewActivity => ({ activity_type, entity_type: 'dealflow', entity_id: id, company_id })
