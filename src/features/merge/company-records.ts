import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import {
  bulkActionPlaces,
  leaveActionRows,
  lockActionsOf,
  moveActionRows,
  removeCompanies,
} from '#src/features/bulk-actions/index.ts'
import {
  type CompanyAttachment,
  companyActivity,
  copyCompaniesBack,
  returnActivity,
} from '#src/features/companies/index.ts'
import { type DealMove, moveDeals, moveSources } from '#src/features/deals/index.ts'
import { moveDecisionsOf, restoreDecisionsOf, trashDecisionsOf } from '#src/features/decisions/index.ts'
import { moveFileLinks } from '#src/features/files/index.ts'
import { moveNoteLinks } from '#src/features/notes/index.ts'
import { moveCompanyLinks } from '#src/features/people/index.ts'
import { moveTaskLinks } from '#src/features/tasks/index.ts'
import type { Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { Merging } from './kind.ts'
import { lockParts, type Part, returnBranches, storeParts, withoutSurvivor } from './parts.ts'

/** What goes to the trash with companies, and comes back with them. */
export const companyAttachment: CompanyAttachment = {
  ...bulkActionPlaces,
  records: { trash: trashDecisionsOf, restore: restoreDecisionsOf },
}

/** Locks the companies, and the bulk actions that they are part of. Returns the ids of those that exist. */
export async function lockCompaniesForMerge(transaction: Db, ids: string[]): Promise<Set<string>> {
  await lockActionsOf(transaction, ids)
  const { rows } = await sql<{ id: string }>`
    select id from companies where id = any(${ids}) order by id for update`.execute(transaction)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Makes locked companies part of another: moves what belongs to them, and keeps their records next to the trash.
 * @param from in the order in which their entries in bulk actions are taken over
 * @returns the moved deals and decisions, and the number of entries in bulk actions, of people whose links moved, of notes, of tasks, and of files
 */
export async function joinCompanies(
  transaction: Db,
  action: Action,
  survivor: string,
  from: string[],
): Promise<{
  deals: string[]
  decisions: string[]
  bulk_actions: number
  people: number
  notes: number
  tasks: number
  attached_files: number
}> {
  const deals = await moveDeals(transaction, action, await dealsOf(transaction, from, survivor))
  await moveSources(transaction, action, { from, to: survivor })
  const decisions = await moveDecisionsOf(transaction, action, { from, to: survivor })
  const people = await moveCompanyLinks(transaction, action, { from, to: survivor })
  const notes = await moveNoteLinks(transaction, action, { from, to: survivor })
  const tasks = await moveTaskLinks(transaction, action, { from, to: survivor })
  const files = await moveFileLinks(transaction, action, { from, to: survivor })
  const rows = await moveActionRows(transaction, from, survivor)
  const attached = sql`${bulkActionPlaces.content},
    'moved_bulk_actions', coalesce(${JSON.stringify(rows)}::json -> record.id, '[]')`
  await storeParts(transaction, action, 'company', { survivor, from, attached })
  const kept = await removeCompanies(transaction, from)
  await sql`delete from companies where id = any(${from})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    from.map((id) => companyActivity('company_merged', id, { merged_into: survivor })),
  )
  const moved = Object.values(rows).flat().length
  return {
    ...{ deals, decisions, bulk_actions: moved + kept },
    ...{ people: people.length, notes: notes.length, tasks: tasks.length },
    attached_files: files.length,
  }
}

async function dealsOf(transaction: Db, companies: string[], to: string): Promise<DealMove[]> {
  const { rows } = await sql<DealMove>`
    select id as deal_id, company_id as from_id, ${to}::text as to_id from dealflow
    where company_id = any(${companies}) order by id for update`.execute(transaction)
  return rows
}

/**
 * Splits companies off the one that they are part of. They return as they were, with their deals and their entries in
 * bulk actions. The links of people, notes, tasks, and files, the sources of deals, and the companies of decisions are changes of
 * theirs, which the undo puts back after the companies.
 * @returns their ids and those of the deals; those that are part of another company now are neither restored nor refused
 */
async function splitCompanies(
  transaction: Db,
  action: Action,
  survivor: string,
  ids: string[],
): Promise<Restoration> {
  const survives = (await lockCompaniesForMerge(transaction, [survivor, ...ids])).has(survivor)
  const parts = await lockParts(transaction, survivor, ids)
  const split = idsOf(parts)
  if (split.length === 0 || !survives)
    return { restored: [], refused: withoutSurvivor('company', survivor, split) }
  const losses = await copyCompaniesBack(transaction, split, bulkActionPlaces)
  await leaveActionRows(transaction, split, survivor)
  await returnBranches(transaction, split, survivor)
  const moves = await movesOf(transaction, parts, survivor)
  await sql`delete from trash where id = any(${split})`.execute(transaction)
  const metadata = { merged_into: survivor }
  await recordAction(transaction, action, returnActivity('company_unmerged', split, losses, metadata))
  const deals = await moveDeals(transaction, action, moves)
  return { restored: [...split, ...deals], refused: [] }
}

/** The deals that came with these companies, back. */
async function movesOf(transaction: Db, parts: Part[], survivor: string): Promise<DealMove[]> {
  const { rows } = await sql<DealMove>`
    select entity_id as deal_id, ${survivor}::text as from_id, changes -> 'company_id' ->> 'from' as to_id from activity
    where action_id = any(${parts.map(({ action_id }) => action_id)}) and entity_type = 'dealflow'
      and changes -> 'company_id' ->> 'from' = any(${parts.map(({ id }) => id)})
      and changes -> 'company_id' ->> 'to' = ${survivor}`.execute(transaction)
  return rows
}

/** How the undo merges companies again, and splits them. */
export const companyMerging: Merging = {
  entity_type: 'company',
  lock: lockCompaniesForMerge,
  join: async (...merge) => {
    const { deals, decisions } = await joinCompanies(...merge)
    return [...deals, ...decisions]
  },
  split: splitCompanies,
}
