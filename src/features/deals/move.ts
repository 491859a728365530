import { sql } from 'kysely'
import { type Action, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { isMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { laterThan, utc } from '#src/platform/database/sql.ts'
import { keepSourcesOf } from './source.ts'

const later = laterThan('dealflow.updated_at')

/** A deal that another company gets. */
export interface DealMove {
  deal_id: string
  from_id: string
  to_id: string
}

/**
 * Gives deals to other companies, if they do not have them yet, and records it. A deal that a third company has by now
 * stays there.
 * @returns the ids of the moved deals
 */
export async function moveDeals(
  transaction: Db,
  action: Action,
  moves: readonly DealMove[],
): Promise<string[]> {
  if (moves.length === 0) return []
  const columns = { deal_id: 'text', from_id: 'text', to_id: 'text' } as const
  const { rows } = await sql<DealMove & { updated_at: string }>`
    with moved as (
      update dealflow set company_id = to_id, updated_at = ${later}
      from ${rowsFrom(
        'move',
        columns,
        moves.map((move) => ({ ...move })),
      )}
      where dealflow.id = deal_id and company_id in (from_id, to_id)
      returning deal_id, from_id, to_id, dealflow.updated_at)
    select deal_id, from_id, to_id, ${utc('updated_at')} from moved order by deal_id`.execute(transaction)
  await recordAction(transaction, action, rows.map(moveActivity))
  return rows.map(({ deal_id }) => deal_id)
}

/** The activity record of a deal that another company got. */
export const moveActivity = ({
  deal_id,
  from_id,
  to_id,
  updated_at,
}: DealMove & { updated_at: string }): NewActivity => ({
  activity_type: 'dealflow_updated',
  entity_type: 'dealflow',
  entity_id: deal_id,
  company_id: to_id,
  metadata: { fields: ['company_id'] },
  changes: { company_id: { from: from_id, to: to_id } },
  timestamp: updated_at,
})

/**
 * Makes another company or person the source of the deals that these brought, and records it, so that an undo puts it back.
 * @param deals only these deals
 */
export async function moveSources(
  transaction: Db,
  action: Action,
  { from, to, deals }: { from: string[]; to: string; deals?: string[] },
): Promise<void> {
  const { rows } = await sql<{ id: string; company_id: string; from_id: string; updated_at: string }>`
    with before as (
        select id, source_id as from_id from dealflow
        where source_type in ('company', 'person') and source_id = any(${from}) and ${deals ? sql`id = any(${deals})` : sql`true`}
        order by id for update),
      moved as (
        update dealflow set source_id = ${to}, updated_at = ${later}
        from before where dealflow.id = before.id
        returning dealflow.id, company_id, from_id, dealflow.updated_at)
    select id, company_id, from_id, ${utc('updated_at')} from moved order by id`.execute(transaction)
  await recordAction(
    transaction,
    action,
    rows.map(({ id, company_id, from_id, updated_at }) => ({
      activity_type: 'dealflow_updated',
      entity_type: 'dealflow',
      entity_id: id,
      company_id,
      metadata: { fields: ['source_id'] },
      changes: { source_id: { from: from_id, to } },
      timestamp: updated_at,
    })),
  )
}

/** Restored deals that a company or person brought who was merged since: the survivor becomes their source. */
export async function moveSourcesToSurvivors(
  transaction: Db,
  action: Action,
  deals: string[],
): Promise<void> {
  await keepSourcesOf(transaction, deals)
  const { rows } = await sql<{ from_id: string; to_id: string }>`
    select distinct source_id as from_id, trash.company_id as to_id
    from dealflow join trash on trash.id = source_id and ${isMerged}
    where dealflow.id = any(${deals}) order by source_id`.execute(transaction)
  for (const { from_id, to_id } of rows)
    await moveSources(transaction, action, { from: [from_id], to: to_id, deals })
}
