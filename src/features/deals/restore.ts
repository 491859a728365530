import { type RawBuilder, sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { dropForbiddenValues } from '#src/features/fields/index.ts'
import { copyFromTrash, findTrashed, isMerged, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { moveDeals, moveSourcesToSurvivors } from './move.ts'
import { type DealOfCompany, dealActivity } from './remove.ts'

const companiesOf = (deals: readonly DealOfCompany[]): string[] => deals.map(({ company_id }) => company_id)

/** Restores deals, unless their company is gone. Those of a merged company come back to the survivor. */
export async function restoreDeals(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  const trashed = await lockTrashedDeals(transaction, sql`id = any(${ids}) and not purging`)
  // A merge that has begun ends before its survivor is read, and none begins until the deals are back.
  await sql`select from companies where id = any(${companiesOf(trashed)}) order by id for share`.execute(
    transaction,
  )
  const merged = await findTrashed(transaction, companiesOf(trashed))
  const entries = trashed.map(({ id, company_id }) => ({
    id,
    previous_id: company_id,
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
    const moved = deals.filter(({ company_id, previous_id }) => company_id !== previous_id)
    await moveDeals(
      transaction,
      action,
      moved.map(({ id, previous_id, company_id }) => ({
        deal_id: id,
        from_id: previous_id,
        to_id: company_id,
      })),
    )
    await moveSourcesToSurvivors(transaction, action, restored)
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

/**
 * Brings back the deals that were deleted with companies. The caller records it.
 * @returns the deals
 */
export async function restoreDealsOf(transaction: Db, companies: string[]): Promise<DealOfCompany[]> {
  const where = sql`trash.company_id = any(${companies}) and parent_id = trash.company_id and entity_type = 'dealflow'`
  const deals = await lockTrashedDeals(transaction, where)
  await copyFromTrash(transaction, 'dealflow', where)
  await dropForbiddenValues(
    transaction,
    'deal',
    deals.map(({ id }) => id),
  )
  await sql`delete from trash where ${where}`.execute(transaction)
  return deals
}

async function lockTrashedDeals(transaction: Db, where: RawBuilder<unknown>): Promise<DealOfCompany[]> {
  const { rows } = await sql<DealOfCompany>`
    select id, company_id from trash where entity_type = 'dealflow' and ${where} order by id for update`.execute(
    transaction,
  )
  return rows
}
