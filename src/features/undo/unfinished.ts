import { sql } from 'kysely'
import { lockAction, newAction } from '#src/features/activity/index.ts'
import { continueUndo, startUndo, type UndoParts } from './undo.ts'

/** An action that has not advanced for this long has lost its process. */
const STALLED_SECONDS = 10

/**
 * Undoes an action that is made to all of its records or to none, and that has failed after some of them.
 * @throws Conflict if the action cannot be undone
 */
export async function revertUnfinished(parts: UndoParts, action_id: string): Promise<void> {
  const undo = await parts.db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('unfinished_actions')
      .where('action_id', '=', action_id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return undefined
    const action = await lockAction(transaction, action_id)
    if (!action || action.undone_by) return undefined
    const user = action.user_email === null ? null : { email: action.user_email }
    const undo = { ...newAction('undo', user, 'undo'), undoes: action_id }
    return startUndo(transaction, parts.kinds, undo, action_id, { request_key: null, mayDelete: true })
  })
  if (undo) await continueUndo(parts, undo)
}

/**
 * Undoes the actions that lost their process after some of their records.
 * @throws the first error, after all have been tried
 */
export async function revertStalled(parts: UndoParts, stopped: AbortSignal): Promise<void> {
  const { rows } = await sql<{ action_id: string }>`
    select action_id from unfinished_actions
    where advanced_at < clock_timestamp() - make_interval(secs => ${STALLED_SECONDS})
    order by advanced_at`.execute(parts.db)
  const errors: unknown[] = []
  for (const { action_id } of rows)
    if (!stopped.aborted) await revertUnfinished(parts, action_id).catch((error) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

/** Continues undos that were interrupted by the end of their process. */
export async function continueUndos(parts: UndoParts, stopped: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from undos where finished_at is null
      and advanced_at < clock_timestamp() - make_interval(secs => ${STALLED_SECONDS})
    order by advanced_at`.execute(parts.db)
  for (const { id } of rows) if (!stopped.aborted) await continueUndo(parts, id)
}
