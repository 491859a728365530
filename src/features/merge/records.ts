import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import {
  bulkActionPlaces,
  leaveActionRows,
  lockActionsOf,
  moveActionRows,
  removeCompanies,
} from '#src/features/bulk-actions/index.ts'
import { companyActivity, copyCompaniesBack, returnActivity } from '#src/features/companies/index.ts'
import { type DealMove, moveDeals } from '#src/features/deals/index.ts'
import { moveNoteLinks } from '#src/features/notes/index.ts'
import { moveLinks } from '#src/features/people/index.ts'
import type { Restoration } from '#src/features/trash/index.ts'
import { copyToTrash, isMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'

/** Locks the companies, and the bulk actions that they are part of. Returns the ids of those that exist. */
export async function lockForMerge(transaction: Db, ids: string[]): Promise<Set<string>> {
  await lockActionsOf(transaction, ids)
  const { rows } = await sql<{ id: string }>`
    select id from companies where id = any(${ids}) order by id for update`.execute(transaction)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Makes locked companies part of another: moves what belongs to them, and keeps their records next to the trash.
 * @param from in the order in which their entries in bulk actions are taken over
 * @returns the moved deals, and the number of entries in bulk actions of people whose links moved, and of notes
 */
export async function joinCompanies(
  transaction: Db,
  action: Action,
  survivor: string,
  from: string[],
): Promise<{ deals: string[]; bulk_actions: number; people: number; notes: number }> {
  const deals = await moveDeals(transaction, action, await dealsOf(transaction, from, survivor))
  const people = await moveLinks(transaction, action, { from, to: survivor })
  const notes = await moveNoteLinks(transaction, action, { from, to: survivor })
  const rows = await moveActionRows(transaction, from, survivor)
  await copyToTrash(transaction, action, 'companies', sql`id = any(${from})`, {
    entity_type: 'company',
    name: sql`name`,
    company_id: sql`${survivor}::text`,
    parent_id: sql`${survivor}::text`,
    attached: sql`${bulkActionPlaces.content},
      'moved_bulk_actions', coalesce(${JSON.stringify(rows)}::json -> record.id, '[]')`,
  })
  const kept = await removeCompanies(transaction, from)
  await sql`
    update trash set company_id = ${survivor} where company_id = any(${from}) and ${isMerged}`.execute(
    transaction,
  )
  await sql`delete from companies where id = any(${from})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    from.map((id) => companyActivity('company_merged', id, { merged_into: survivor })),
  )
  const moved = Object.values(rows).flat().length
  return { deals, bulk_actions: moved + kept, people: people.length, notes: notes.length }
}

async function dealsOf(transaction: Db, companies: string[], to: string): Promise<DealMove[]> {
  const { rows } = await sql<DealMove>`
    select id as deal_id, company_id as from_id, ${to}::text as to_id from dealflow
    where company_id = any(${companies}) order by id for update`.execute(transaction)
  return rows
}

interface MergedEntry {
  id: string
  action_id: string
}

/**
 * Splits companies off the one that they are part of. They return as they were, with their deals and their entries in
 * bulk actions. The links of people and notes are changes of theirs, which the undo puts back after the companies.
 * @returns their ids and those of the deals; those that are part of another company now are neither restored nor refused
 */
export async function splitCompanies(
  transaction: Db,
  action: Action,
  survivor: string,
  ids: string[],
): Promise<Restoration> {
  const survives = (await lockForMerge(transaction, [survivor, ...ids])).has(survivor)
  const { rows: entries } = await sql<MergedEntry>`
    select id, action_id from trash
    where id = any(${ids}) and ${isMerged} and parent_id = ${survivor} and not purging
    order by id for update`.execute(transaction)
  const split = entries.map(({ id }) => id)
  if (split.length === 0) return { restored: [], refused: [] }
  if (!survives) {
    const detail = `The company ${survivor}, which they were merged into, is in the trash or merged.`
    return { restored: [], refused: split.map((id) => ({ id, reason: 'survivor_missing', detail })) }
  }
  const losses = await copyCompaniesBack(transaction, split, bulkActionPlaces)
  await leaveActionRows(transaction, split, survivor)
  await returnBranches(transaction, split, survivor)
  const moves = await movesOf(transaction, entries, survivor)
  await sql`delete from trash where id = any(${split})`.execute(transaction)
  const metadata = { merged_into: survivor }
  await recordAction(transaction, action, returnActivity('company_unmerged', split, losses, metadata))
  const deals = await moveDeals(transaction, action, moves)
  return { restored: [...split, ...deals], refused: [] }
}

/** The deals that came with these companies, back. */
async function movesOf(transaction: Db, entries: MergedEntry[], survivor: string): Promise<DealMove[]> {
  const { rows } = await sql<DealMove>`
    select entity_id as deal_id, ${survivor}::text as from_id, changes -> 'company_id' ->> 'from' as to_id from activity
    where action_id = any(${entries.map(({ action_id }) => action_id)}) and entity_type = 'dealflow'
      and changes -> 'company_id' ->> 'from' = any(${entries.map(({ id }) => id)})
      and changes -> 'company_id' ->> 'to' = ${survivor}`.execute(transaction)
  return rows
}

/** Companies that had been merged into those that return are part of them again. */
async function returnBranches(transaction: Db, ids: string[], survivor: string): Promise<void> {
  await sql`
    with recursive branch(id, top) as (
      select id, id from trash where id = any(${ids})
      union all
      select trash.id, branch.top from trash join branch on trash.parent_id = branch.id
        where trash.company_id = ${survivor} and ${isMerged})
    update trash set company_id = branch.top from branch
    where trash.id = branch.id and branch.id <> branch.top`.execute(transaction)
}
