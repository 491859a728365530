import type { Action } from '#src/features/activity/index.ts'
import { findHidden, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'
import { Conflict } from '#src/platform/errors.ts'
import { kindOf, type RecordKind } from './kind.ts'
import { findTrashed, notInTrash } from './store.ts'

/**
 * Restores a record from the trash.
 * @returns the number of restored records
 * @throws NotFound if it is not in the trash, Conflict for a merged record, or if it cannot be restored
 */
export const restoreRecord = (
  db: Db,
  kinds: readonly RecordKind[],
  action: Action,
  id: string,
): Promise<number> =>
  inShortTransaction(db, async (transaction) => {
    const kind = kindOf(kinds, id)
    if (!kind) throw await notInTrash(transaction, id)
    const { restored, refused } = await kind.restore(transaction, action, [{ id, survivor: null }])
    if (refused[0]) throw new Conflict(refused[0].detail)
    if (restored.length === 0) throw await notInTrash(transaction, id)
    return restored.length
  })

/**
 * The user that a deleted record belongs to; undefined if its kind has no owners.
 * @throws NotFound if it is not in the trash or may not be seen, Conflict for a merged record
 */
export async function readOwnerInTrash(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
  id: string,
): Promise<string | null | undefined> {
  await requireVisibleInTrash(db, viewer, id)
  if (!(await findTrashed(db, [id])).has(id)) throw await notInTrash(db, id)
  const kind = kindOf(kinds, id)
  return (await kind?.readOwners?.(db, [id], viewer))?.[0]
}

/** @throws NotFound for a private record of other people */
export async function requireVisibleInTrash(db: Db, viewer: Viewer, id: string): Promise<void> {
  if ((await findHidden(db, viewer, [id])).has(id)) throw await notInTrash(db, id)
}
