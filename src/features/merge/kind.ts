import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import type { Appearance, RecordKind, Removal, Restoration } from '#src/features/trash/index.ts'
import { findTrashed, RECORD_NAMES } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'
import { idsOf } from '#src/platform/ids.ts'
import { type MergedType, withoutSurvivor } from './parts.ts'

/** How records of a kind become part of another one, and come back. */
export interface Merging {
  entity_type: MergedType
  /** Locks the records that exist. Returns their ids. */
  lock(transaction: Db, ids: string[]): Promise<ReadonlySet<string>>
  /** Makes locked records part of another one. Returns the ids of what moved with them. */
  join(transaction: Db, action: Action, survivor: string, ids: string[]): Promise<string[]>
  /** Splits records off the one that they are part of. */
  split(transaction: Db, action: Action, survivor: string, ids: string[]): Promise<Restoration>
}

/** The ids of merged or split records by survivor, and the other records. */
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

/** Records whose removal merges those again that an action split off, and whose restoration splits off the merged ones. */
export const mergedKind = <R extends { id: string }>(
  kind: RecordKind<R>,
  merging: Merging,
): RecordKind<R> => ({
  ...kind,
  requireUndoable: (transaction, action_id) => requireSurvivor(transaction, merging, action_id),
  async restore(transaction, action, records) {
    const { merged, others } = bySurvivor(records)
    const all = [await kind.restore(transaction, action, others)]
    for (const [survivor, ids] of merged) all.push(await merging.split(transaction, action, survivor, ids))
    return {
      restored: all.flatMap(({ restored }) => restored),
      refused: all.flatMap(({ refused }) => refused),
    }
  },
  async remove(transaction, action, records) {
    const { merged, others } = bySurvivor(records)
    const all: Removal[] = others.length > 0 ? [await kind.remove(transaction, action, others)] : []
    for (const [survivor, ids] of merged)
      all.push(await joinAgain(transaction, merging, action, survivor, ids))
    return { removed: all.flatMap(({ removed }) => removed), refused: all.flatMap(({ refused }) => refused) }
  },
})

async function joinAgain(
  transaction: Db,
  { entity_type, lock, join }: Merging,
  action: Action,
  survivor: string,
  ids: string[],
): Promise<Removal> {
  const existing = await lock(transaction, [survivor, ...ids])
  if (!existing.has(survivor)) return { removed: [], refused: withoutSurvivor(entity_type, survivor, ids) }
  const from = await inMergeOrder(transaction, entity_type, ids)
  return { removed: [...ids, ...(await join(transaction, action, survivor, from))], refused: [] }
}

/** The records in the order in which they were merged before: the links of the first ones are preferred. */
async function inMergeOrder(transaction: Db, entity_type: MergedType, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select entity_id as id from activity
    where entity_id = any(${ids}) and activity_type = ${`${entity_type}_merged`}
    group by entity_id order by max(id)`.execute(transaction)
  return idsOf(rows)
}

/**
 * Checks that the record exists which an action merged others into, or split them off.
 * @throws Conflict if it is in the trash, or merged
 */
async function requireSurvivor(transaction: Db, { entity_type }: Merging, action_id: string): Promise<void> {
  const { rows } = await sql<{ survivor: string }>`
    select distinct metadata ->> 'merged_into' as survivor from activity
    where action_id = ${action_id} and activity_type in (${`${entity_type}_merged`}, ${`${entity_type}_unmerged`})`.execute(
    transaction,
  )
  const survivors = rows.map(({ survivor }) => survivor)
  const name = RECORD_NAMES[entity_type]
  for (const { id, action_id: by, survivor } of (await findTrashed(transaction, survivors)).values())
    throw new Conflict(
      survivor
        ? `The ${name} ${id} was merged into ${survivor} since. POST /api/actions/${by}/undo splits them first.`
        : `The ${name} ${id} is in the trash. POST /api/trash/${id}/restore brings it back first.`,
    )
}
