import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { findTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'
import { type Restoration, restoreCompanies } from '../restore-records.ts'
import { trashCompanies } from '../trash-records.ts'
import type { Appearance, Removal } from '../undo-records.ts'
import { joinCompanies, lockForMerge, splitCompanies } from './records.ts'

/** The ids of those that were merged or split off, by survivor, and of the others. */
function bySurvivor(records: readonly Appearance[]): { merged: [string, string[]][]; others: string[] } {
  const merged = Map.groupBy(
    records.filter(({ survivor }) => survivor !== null),
    ({ survivor }) => survivor as string,
  )
  return {
    merged: [...merged].map(([survivor, group]) => [survivor, group.map(({ id }) => id)]),
    others: records.filter(({ survivor }) => survivor === null).map(({ id }) => id),
  }
}

/** Restores companies that an action deleted, and splits off those that it merged. */
export async function returnCompanies(
  transaction: Db,
  action: Action,
  records: Appearance[],
): Promise<Restoration> {
  const { merged, others } = bySurvivor(records)
  const all = [await restoreCompanies(transaction, action, others)]
  for (const [survivor, ids] of merged) all.push(await splitCompanies(transaction, action, survivor, ids))
  return {
    restored: all.flatMap(({ restored }) => restored),
    refused: all.flatMap(({ refused }) => refused),
  }
}

/** Moves companies to the trash that an action created, and merges those again that it split off. */
export async function removeCompanies(
  transaction: Db,
  action: Action,
  records: Appearance[],
): Promise<Removal> {
  const { merged, others } = bySurvivor(records)
  const all: Removal[] = [
    { removed: others.length > 0 ? await trashCompanies(transaction, action, others) : [], refused: [] },
  ]
  for (const [survivor, ids] of merged) all.push(await joinAgain(transaction, action, survivor, ids))
  return { removed: all.flatMap(({ removed }) => removed), refused: all.flatMap(({ refused }) => refused) }
}

async function joinAgain(transaction: Db, action: Action, survivor: string, ids: string[]): Promise<Removal> {
  const existing = await lockForMerge(transaction, [survivor, ...ids])
  if (!existing.has(survivor)) {
    const detail = `The company ${survivor}, which they were part of, is in the trash or merged.`
    return { removed: [], refused: ids.map((id) => ({ id, reason: 'survivor_missing', detail })) }
  }
  const { deals } = await joinCompanies(transaction, action, survivor, ids)
  return { removed: [...ids, ...deals], refused: [] }
}

/**
 * Checks that the company exists which an action merged others into, or split them off.
 * @throws Conflict if it is in the trash, or merged
 */
export async function requireSurvivor(transaction: Db, action_id: string): Promise<void> {
  const { rows } = await sql<{ survivor: string }>`
    select distinct metadata ->> 'merged_into' as survivor from activity
    where action_id = ${action_id} and activity_type in ('company_merged', 'company_unmerged')`.execute(
    transaction,
  )
  const survivors = rows.map(({ survivor }) => survivor)
  for (const { id, action_id: by, survivor } of (await findTrashed(transaction, survivors)).values())
    throw new Conflict(
      survivor
        ? `The company ${id} was merged into ${survivor} since. POST /api/actions/${by}/undo splits them first.`
        : `The company ${id} is in the trash. POST /api/trash/${id}/restore brings it back first.`,
    )
}
