import { type RawBuilder, sql } from 'kysely'
import { type Action, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { lockActionsOf, returnCompanies } from '#src/features/bulk-actions/index.ts'
import { companyActivity } from '#src/features/companies/index.ts'
import { findTrashed, isMerged } from '#src/features/trash/index.ts'
import { writtenColumns } from '#src/platform/database/columns.ts'
import type { Db } from '#src/platform/database/database.ts'
import { utc } from '#src/platform/database/sql.ts'
import { dropForbiddenValues } from './drop-forbidden-values.ts'
import { moveDeals } from './merge/deals.ts'
import { type DealOfCompany, dealActivity, setThesis } from './trash-records.ts'

/** Why a record stays in the trash. */
export type Refusal = {
  id: string
  reason: 'code_taken' | 'company_missing' | 'survivor_missing'
  detail: string
}

export interface Restoration {
  /** The ids of the restored records, the deals of companies included. */
  restored: string[]
  refused: Refusal[]
}

/** Copies rows back from the trash. Those from before custom fields have no values. */
async function copyFromTrash(
  transaction: Db,
  table: string,
  where: RawBuilder<unknown>,
  replaced: Record<string, RawBuilder<unknown>> = {},
): Promise<void> {
  const columns = await writtenColumns(transaction, table)
  const values = columns.map(
    (column) =>
      replaced[column] ??
      (column === 'custom' ? sql`coalesce(record.custom, '{}')` : sql`record.${sql.id(column)}`),
  )
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.id(column)))})
    select ${sql.join(values)}
    from trash, json_populate_record(null::${sql.table(table)}, content -> 'record') record where ${where}
    order by trash.id`.execute(transaction)
}

/** Locks entries of the trash. One that is being purged does not come back; a merged company is split off instead. */
async function lockEntries(transaction: Db, entity_type: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from trash where id = any(${ids}) and entity_type = ${entity_type} and parent_id is null and not purging
    order by id for update`.execute(transaction)
  return rows.map(({ id }) => id)
}

/** Restores companies, with the deals that were deleted with them. A thesis that is gone is left out. */
export async function restoreCompanies(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  await lockActionsOf(transaction, ids)
  const entries = await lockEntries(transaction, 'company', ids)
  if (entries.length === 0) return { restored: [], refused: [] }
  const losses = await copyCompaniesBack(transaction, entries)
  const theirs = sql`trash.company_id = any(${entries}) and parent_id = trash.company_id and entity_type = 'dealflow'`
  const deals = await readDeals(transaction, theirs)
  await copyFromTrash(transaction, 'dealflow', theirs)
  await dropForbiddenValues(
    transaction,
    'deal',
    deals.map(({ id }) => id),
  )
  await sql`delete from trash where id = any(${entries}) or (${theirs})`.execute(transaction)
  await recordAction(transaction, action, [
    ...returnActivity('company_restored', entries, losses),
    ...deals.map((deal) => dealActivity('dealflow_restored', deal)),
  ])
  return { restored: [...entries, ...deals.map(({ id }) => id)], refused: [] }
}

/**
 * Copies locked companies back, with their places in bulk actions. A thesis that is gone is left out.
 * @returns the activity of those that lost their thesis
 */
export async function copyCompaniesBack(transaction: Db, ids: string[]): Promise<NewActivity[]> {
  const withoutThesis = await findLostTheses(transaction, ids)
  const isLost = sql`record.id = any(${withoutThesis.map(({ id }) => id)})`
  await copyFromTrash(transaction, 'companies', sql`trash.id = any(${ids})`, {
    thesis_id: sql`case when ${isLost} then null else record.thesis_id end`,
    updated_at: sql`case when ${isLost}
      then date_trunc('milliseconds', greatest(clock_timestamp(), record.updated_at + interval '1 millisecond'))
      else record.updated_at end`,
    // Those deleted by an earlier version have no tags.
    tags: sql`coalesce(record.tags, '{}')`,
  })
  await returnCompanies(transaction, ids)
  await dropForbiddenValues(transaction, 'company', ids)
  return thesisLosses(transaction, withoutThesis)
}

/** The activity of companies that come back, not later than they lose their thesis. */
export function returnActivity(
  activity_type: 'company_restored' | 'company_unmerged',
  ids: string[],
  losses: NewActivity[],
  metadata: Record<string, unknown> = {},
): NewActivity[] {
  const times = new Map(losses.map(({ entity_id, timestamp }) => [entity_id, timestamp]))
  const returns = ids.map((id) => {
    const timestamp = times.get(id)
    return { ...companyActivity(activity_type, id, metadata), ...(timestamp && { timestamp }) }
  })
  return [...returns, ...losses]
}

interface LostThesis {
  id: string
  thesis_id: string
}

async function findLostTheses(transaction: Db, ids: string[]): Promise<LostThesis[]> {
  const { rows } = await sql<LostThesis>`
    select id, content -> 'record' ->> 'thesis_id' as thesis_id from trash
    where id = any(${ids}) and content -> 'record' ->> 'thesis_id' is not null
      and not exists (select from theses where theses.id = content -> 'record' ->> 'thesis_id')`.execute(
    transaction,
  )
  return rows
}

async function thesisLosses(transaction: Db, lost: LostThesis[]): Promise<NewActivity[]> {
  if (lost.length === 0) return []
  const { rows } = await sql<{ id: string; updated_at: string }>`
    select id, ${utc('updated_at')} from companies where id = any(${lost.map(({ id }) => id)})`.execute(
    transaction,
  )
  const times = new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
  return lost.map(({ id, thesis_id }) => ({
    ...companyActivity('company_updated', id, { fields: ['thesis_id'] }),
    changes: { thesis_id: { from: thesis_id, to: null } },
    timestamp: times.get(id) as string,
  }))
}

async function readDeals(transaction: Db, where: RawBuilder<unknown>): Promise<DealOfCompany[]> {
  const { rows } = await sql<DealOfCompany>`
    select id, company_id from trash where entity_type = 'dealflow' and ${where} order by id for update`.execute(
    transaction,
  )
  return rows
}

const companiesOf = (deals: readonly DealOfCompany[]): string[] => deals.map(({ company_id }) => company_id)

/** Restores deals, unless their company is gone. Those of a merged company come back to the survivor. */
export async function restoreDeals(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  const trashed = await readDeals(transaction, sql`id = any(${ids}) and not purging`)
  const merged = await findTrashed(transaction, companiesOf(trashed))
  const entries = trashed.map(({ id, company_id }) => ({
    id,
    former_id: company_id,
    company_id: merged.get(company_id)?.survivor ?? company_id,
  }))
  const { rows } = await sql<{ id: string }>`
    select id from companies where id = any(${companiesOf(entries)}) for share`.execute(transaction)
  const companies = new Set(rows.map(({ id }) => id))
  const deals = entries.filter(({ company_id }) => companies.has(company_id))
  const restored = deals.map(({ id }) => id)
  if (restored.length > 0) {
    await copyFromTrash(transaction, 'dealflow', sql`trash.id = any(${restored})`, {
      company_id: sql`coalesce((select trash.company_id from trash where trash.id = record.company_id and ${isMerged}),
        record.company_id)`,
    })
    await dropForbiddenValues(transaction, 'deal', restored)
    await sql`delete from trash where id = any(${restored})`.execute(transaction)
    await recordAction(
      transaction,
      action,
      deals.map((deal) => dealActivity('dealflow_restored', deal)),
    )
    const moved = deals.filter(({ company_id, former_id }) => company_id !== former_id)
    await moveDeals(
      transaction,
      action,
      moved.map(({ id, former_id, company_id }) => ({ deal_id: id, from_id: former_id, to_id: company_id })),
    )
  }
  const refused = entries
    .filter(({ company_id }) => !companies.has(company_id))
    .map(({ id, company_id }) => ({
      id,
      reason: 'company_missing' as const,
      detail: `The company ${company_id} of the deal ${id} is in the trash. POST /api/trash/${company_id}/restore brings it back first.`,
    }))
  return { restored, refused }
}

/** Keeps others from taking the code of a thesis until the transaction ends. */
export const lockCodes = (transaction: Db) =>
  sql`lock table theses in share row exclusive mode`.execute(transaction)

/** Restores a thesis, unless its code is taken. Its companies get it back if they have no other. */
export async function restoreThesis(transaction: Db, action: Action, id: string): Promise<Restoration> {
  const [entry] = await lockEntries(transaction, 'thesis', [id])
  if (!entry) return { restored: [], refused: [] }
  await lockCodes(transaction)
  const { rows } = await sql<{ id: string; code: string }>`
    select theses.id, code from theses, trash
    where trash.id = ${id} and code = content -> 'record' ->> 'code'`.execute(transaction)
  const [other] = rows
  if (other) {
    const detail = `The thesis ${other.id} has the code ${other.code} now. Change its code, then restore ${id}.`
    return { restored: [], refused: [{ id, reason: 'code_taken', detail }] }
  }
  await copyFromTrash(transaction, 'theses', sql`trash.id = ${id}`)
  const companies = await sql<{ id: string; updated_at: string }>`
    select companies.id, ${utc('updated_at')} from companies
    where thesis_id is null and companies.id in (
      select json_array_elements_text(content -> 'companies') from trash where trash.id = ${id})
    order by companies.id for no key update`.execute(transaction)
  const changes = await setThesis(transaction, companies.rows, null, id)
  await sql`
    update bulk_actions set thesis_id = ${id} where thesis_id is null and id in (
      select json_array_elements_text(content -> 'bulk_actions') from trash where trash.id = ${id})`.execute(
    transaction,
  )
  await sql`delete from trash where id = ${id}`.execute(transaction)
  await recordAction(transaction, action, [
    { activity_type: 'thesis_restored', entity_type: 'thesis', entity_id: id },
    ...changes,
  ])
  return { restored: [id], refused: [] }
}
