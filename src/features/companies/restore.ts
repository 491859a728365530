import { sql } from 'kysely'
import { type Action, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { dealActivity, moveSourcesToSurvivors, restoreDealsOf } from '#src/features/deals/index.ts'
import { dropForbiddenValues } from '#src/features/fields/index.ts'
import { copyFromTrash, lockEntries, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { utc } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { CompanyAttachment } from './attachment.ts'
import { companyActivity } from './company-update.ts'

/** Restores companies, with the deals that were deleted with them. A thesis that is gone is left out. */
export async function restoreCompanies(
  transaction: Db,
  action: Action,
  ids: string[],
  attachment: CompanyAttachment,
): Promise<Restoration> {
  await attachment.lock(transaction, ids)
  const entries = await lockEntries(transaction, 'company', ids)
  if (entries.length === 0) return { restored: [], refused: [] }
  const losses = await copyCompaniesBack(transaction, entries, attachment)
  const deals = await restoreDealsOf(transaction, entries)
  await sql`delete from trash where id = any(${entries})`.execute(transaction)
  await recordAction(transaction, action, [
    ...returnActivity('company_restored', entries, losses),
    ...deals.map((deal) => dealActivity('dealflow_restored', deal)),
  ])
  await moveSourcesToSurvivors(transaction, action, idsOf(deals))
  const records = (await attachment.records?.restore(transaction, action, entries)) ?? []
  return { restored: [...entries, ...idsOf(deals), ...records], refused: [] }
}

/**
 * Copies locked companies back, with what is attached to them. A thesis that is gone is left out.
 * @returns the activity of those that lost their thesis
 */
export async function copyCompaniesBack(
  transaction: Db,
  ids: string[],
  attachment: CompanyAttachment,
): Promise<NewActivity[]> {
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
  await attachment.restore(transaction, ids)
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
