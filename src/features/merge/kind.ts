import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import type { Appearance, RecordKind, Removal } from '#src/features/trash/index.ts'
import { findTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'
import { joinCompanies, lockForMerge, splitCompanies } from './records.ts'

/** The ids of merged or split companies by survivor, and those of the others. */
function bySurvivor(records: readonly Appearance[]): { merged: [string, string[]][]; others: Appearance[] } {
  const merged = Map.groupBy(
    records.filter(({ survivor }) => survivor !== null),
    ({ survivor }) => survivor as string,
  )
  return {
    merged: [...merged].map(([survivor, group]) => [survivor, group.map(({ id }) => id)]),
    others: records.filter(({ survivor }) => survivor === null),
  }
}

/** Companies whose removal merges those again that an action split off, and whose restoration splits off the merged ones. */
export const mergedCompanyKind = <R extends { id: string }>(kind: RecordKind<R>): RecordKind<R> => ({
  ...kind,
  requireUndoable: requireSurvivor,
  async restore(transaction, action, records) {
    const { merged, others } = bySurvivor(records)
    const all = [await kind.restore(transaction, action, others)]
    for (const [survivor, ids] of merged) all.push(await splitCompanies(transaction, action, survivor, ids))
    return {
      restored: all.flatMap(({ restored }) => restored),
      refused: all.flatMap(({ refused }) => refused),
    }
  },
  async remove(transaction, action, records) {
    const { merged, others } = bySurvivor(records)
    const all: Removal[] = others.length > 0 ? [await kind.remove(transaction, action, others)] : []
    for (const [survivor, ids] of merged) all.push(await joinAgain(transaction, action, survivor, ids))
    return { removed: all.flatMap(({ removed }) => removed), refused: all.flatMap(({ refused }) => refused) }
  },
})

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
async function requireSurvivor(transaction: Db, action_id: string): Promise<void> {
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
