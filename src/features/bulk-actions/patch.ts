import { isDeepStrictEqual } from 'node:util'
import type { Context } from '#src/context.ts'
import { recordActivity } from '#src/features/activity/store.ts'
import { badRequest, forbidden, found } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity.ts'
import { withoutReadOnly } from '#src/platform/read-only.ts'
import { activity } from './activity.ts'
import { refuseOthers, refuseUnfit } from './refusals.ts'
import { applyReport } from './report.ts'
import { BULK_ACTION_READ_ONLY, type BulkActionPatch, type BulkActionStatus, ENDED } from './schema.ts'
import * as store from './store.ts'
import { waitsOf } from './waiting.ts'

/**
 * Changes an action: a worker reports on it, or the user who started it cancels it or changes its budget. In development
 * everyone counts as a worker, because the contract's worker sends no credential.
 * @throws HttpError 400 for a report that contradicts itself, 403 for what the caller may not change
 */
export async function patchBulkAction(
  { config, db }: Pick<Context, 'config' | 'db'>,
  user: User | null,
  id: string,
  body: BulkActionPatch,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const action = found(await store.lockBulkAction(transaction, id), 'bulk action', id)
    refuseOthers(config, user, action)
    const waits = waitsOf(config)
    const sent = await withoutReadOnly(body, BULK_ACTION_READ_ONLY, () =>
      store.readBulkAction(transaction, id, waits),
    )
    refuseUnfit({ action_type: action.action_type, token_budget: sent.token_budget })
    const patch = withoutWait(sent, waits[action.action_type])
    const changed = changedFields(action, patch)
    const isWorker = !config.production || user?.isWorker === true
    if (!isWorker) refuseReport(action, patch, changed)
    const { status = action.status } = patch
    const hasEnded = ENDED.includes(status)
    if (patch.completed_at && !hasEnded && changed.has('completed_at'))
      throw badRequest(`completed_at must come with a status that ends the action (${ENDED.join(', ')}).`)
    await store.changeBulkAction(transaction, id, {
      status,
      token_budget: patch.token_budget,
      completed_at: completedAt(action, patch, status),
      waiting_for: patch.waiting_for,
      ...(isWorker && isReport(patch, changed) && (await applyReport(transaction, action, patch))),
      ...(hasEnded && { waiting_for: null }),
    })
    if (hasEnded && status !== action.status)
      await recordActivity(transaction, user, [
        activity(status as 'completed' | 'failed' | 'cancelled', action),
      ])
  })
}

/** What the settings make every action of the type wait for is sent back by callers, and not stored. */
function withoutWait({ waiting_for, ...patch }: BulkActionPatch, wait: string | undefined): BulkActionPatch {
  return waiting_for === undefined || waiting_for === wait ? patch : { ...patch, waiting_for }
}

type Field = keyof BulkActionPatch

/** The fields that the patch gives another value: callers may send back what they have read. */
const changedFields = (action: store.KnownBulkAction, patch: BulkActionPatch): Set<Field> =>
  new Set(
    (Object.keys(patch) as Field[]).filter((field) =>
      field === 'completed_at' && patch.completed_at && action.completed_at
        ? Date.parse(patch.completed_at) !== Date.parse(action.completed_at)
        : !isDeepStrictEqual(patch[field], action[field]),
    ),
  )

/** @throws HttpError 403 when a user who is not the worker reports, 400 when they cancel what has ended */
function refuseReport(action: store.KnownBulkAction, patch: BulkActionPatch, changed: Set<Field>): void {
  const isCancel = patch.status === 'cancelled'
  const allowed: Field[] = isCancel ? ['status', 'completed_at', 'token_budget'] : ['token_budget']
  const refused = [...changed].find((field) => !allowed.includes(field))
  if (refused)
    throw forbidden(
      `Only the worker may set ${refused}${refused === 'status' ? ` to ${patch.status}` : ''}. You can cancel the action (status: cancelled) and change its token_budget.`,
    )
  if (changed.has('status') && ENDED.includes(action.status))
    throw badRequest(`status must stay ${action.status}: the action has ended.`)
}

/**
 * Whether an external worker reports. A cancel, another budget and what a worker waits for are no reports, also in an
 * action that is sent back whole.
 */
function isReport(patch: BulkActionPatch, changed: Set<Field>): boolean {
  const reports: Field[] = ['processed_companies', 'failed_companies', 'error_summary']
  if (patch.status !== 'cancelled') reports.push('status', 'completed_at')
  const isOfUser = patch.status === 'cancelled' || patch.token_budget !== undefined
  return reports.some((field) => (isOfUser ? changed.has(field) : patch[field] !== undefined))
}

/** An action that goes on has no end; one that ends without a time ends now. */
function completedAt(
  action: store.KnownBulkAction,
  { completed_at }: BulkActionPatch,
  status: BulkActionStatus,
): string | null | undefined {
  if (!ENDED.includes(status)) return null
  if (completed_at || (completed_at === null && status !== 'cancelled')) return completed_at
  return status === action.status ? undefined : new Date().toISOString()
}
