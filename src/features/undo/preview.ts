import { newAction } from '#src/features/activity/index.ts'
import { BatchSize } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import { withDryRun } from '#src/platform/database/dry-run.ts'
import type { Undone } from './schema.ts'
import {
  MAX_BATCH_SIZE,
  requireUndoable,
  type Undoer,
  type UndoParts,
  type UndoState,
  undoBatch,
  undoneSince,
  visibleResult,
} from './undo.ts'

/**
 * What an undo would do, without doing it.
 * @throws NotFound if there is no such action, Conflict if it cannot be undone
 */
export async function previewUndo(
  { db, maxBatchMs, kinds }: UndoParts,
  { user, mayDelete }: Undoer,
  action_id: string,
): Promise<Undone> {
  const size = new BatchSize(MAX_BATCH_SIZE, maxBatchMs)
  const undo = newAction('undo', user, 'undo')
  const plan = async (transaction: Db): Promise<Undone> => {
    await requireUndoable(transaction, kinds, action_id)
    let state: UndoState = {
      id: undo.id,
      action_id,
      user_email: user?.email ?? null,
      may_delete: mayDelete,
      phase: 0,
      last_id: '',
      reverted: 0,
      skipped: [],
      skipped_omitted: 0,
      finished_at: null,
    }
    while (!state.finished_at) {
      const before = state
      state = await size.measure(
        () => undoBatch(transaction, kinds, undo, before, size.records),
        undoneSince(before),
      )
    }
    return { action_id: null, ...(await visibleResult(transaction, state)) }
  }
  return withDryRun((work) => db.transaction().execute(work), true, plan)
}
