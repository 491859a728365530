import { type Action, requireUnchanged } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { checkedPatch } from './check.ts'
import { DECISION_READ_ONLY, type DecisionPatch } from './schema.ts'
import { lockDecisions, readDecision, type StoredDecision } from './store.ts'
import { writeChanges } from './write-changes.ts'

/** Checks that the caller may change a decision of this author. @throws MissingPermission */
export type AuthorizeChange = (author_email: string | null) => void

interface Change {
  authorize: AuthorizeChange
  id: string
  body: DecisionPatch
  /** The If-Match header. */
  ifMatch: string | undefined
  /** Whose days count. */
  timeZone: string
}

/**
 * Changes a decision and records it: takes it, or opens it again. Writes nothing if no field differs.
 * @throws NotFound, MissingPermission, PreconditionFailed if it has changed since, InvalidInput that names the field that is
 *   wrong
 */
export const updateDecision = (
  db: Db,
  action: Action,
  { authorize, id, body, ifMatch, timeZone }: Change,
): Promise<{ decision: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const before = await lockDecision(transaction, id)
    authorize(before.author_email)
    await requireUnchanged(transaction, ifMatch, 'decision', before)
    const patch = withoutReadOnly(body, DECISION_READ_ONLY)
    const values = await checkedPatch(transaction, before, patch, timeZone)
    const changed = await writeChanges(transaction, action, [{ before, values }])
    const decision = orNotFound(await readDecision(transaction, id), 'decision', id)
    return { decision, isChanged: changed.length > 0 }
  })

/** The decision, locked until the transaction ends. @throws NotFound; the message says whether it is in the trash */
export async function lockDecision(transaction: Db, id: string): Promise<StoredDecision> {
  const [decision] = await lockDecisions(transaction, [id])
  return orTrashed(transaction, decision, 'decision', id)
}
