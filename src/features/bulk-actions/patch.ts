import { isDeepStrictEqual } from 'node:util'
import type { Context } from '#src/context.ts'
import { recordActivity } from '#src/features/activity/index.ts'
import { Forbidden, InvalidInput, orNotFound } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { bulkActionActivity } from './activity.ts'
import { applyReport } from './report.ts'
import {
  BULK_ACTION_READ_ONLY,
  type BulkActionPatch,
  type BulkActionStatus,
  FINAL_STATUSES,
} from './schema.ts'
import * as store from './store.ts'
import { requireBudget, requireFittingFields, requireSmallSummary } from './validation.ts'
import { blockReasons } from './waiting.ts'

/**
 * Changes an action: a worker reports on it, the user who started it cancels it or changes its budget, or an admin
 * cancels it. In development everyone counts as a worker, because the contract's worker sends no credential.
 * @throws InvalidInput for a report that contradicts itself, Forbidden for a field that the caller may not change, NotFound
 */
export async function patchBulkAction(
  parts: Pick<Context, 'authorize' | 'config' | 'db'>,
  user: User | null,
  id: string,
  body: BulkActionPatch,
): Promise<void> {
  const { authorize, config, db } = parts
  await db.transaction().execute(async (transaction) => {
    const action = orNotFound(await store.lockBulkAction(transaction, id), 'bulk action', id)
    authorize(user, 'bulk')
    const reasons = blockReasons(config)
    const writable = withoutReadOnly(body, BULK_ACTION_READ_ONLY)
    requireFittingFields({ action_type: action.action_type, token_budget: writable.token_budget })
    const sent = withoutBlockReason(writable, reasons[action.action_type])
    const isWorker = !config.enforceRoles || user?.isWorker === true
    const patch = isWholeRecord(body) ? requestedChanges(action, isWorker ? sent : userFields(sent)) : sent
    const isOthersCancel = isCancel(action, patch) && user?.email !== action.user_email
    if (isOthersCancel) authorize(user, 'cancel_others')
    else authorize(user, 'bulk', { owner: action.user_email })
    requireSmallSummary(patch)
    const { token_budget = action.token_budget } = writable
    if (token_budget !== action.token_budget) requireBudget(parts, user, { ...action, token_budget })
    if (!isWorker) requireUserChange(action, patch)
    const { status = action.status } = patch
    const hasEnded = FINAL_STATUSES.includes(status)
    if (!hasEnded && pickChanges(action, patch).completed_at)
      throw new InvalidInput(
        `completed_at must come with a status that ends the action (${FINAL_STATUSES.join(', ')}).`,
      )
    const change = pickChanges(action, {
      status,
      token_budget: patch.token_budget,
      completed_at: completedAt(action, patch, status),
      waiting_for: patch.waiting_for,
      ...(isWorker && isReport(patch) && (await applyReport(transaction, action, patch))),
      ...(hasEnded && { waiting_for: null }),
    })
    if (Object.keys(change).length === 0) return
    await store.changeBulkAction(transaction, id, change)
    if (hasEnded && status !== action.status)
      await recordActivity(transaction, user, [
        bulkActionActivity(status as 'completed' | 'failed' | 'cancelled', action),
      ])
  })
}

/** Whether it cancels the action and changes nothing else. */
const isCancel = (action: store.BulkActionState, patch: BulkActionPatch): boolean =>
  patch.status === 'cancelled' && Object.keys(pickChanges(action, patch)).every((field) => field === 'status')

/** Drops a `waiting_for` that comes from the settings: it was sent back as read, and is not stored. */
function withoutBlockReason(
  { waiting_for, ...patch }: BulkActionPatch,
  reason: string | undefined,
): BulkActionPatch {
  return waiting_for === undefined || waiting_for === reason ? patch : { ...patch, waiting_for }
}

/** Whether the caller sends back an action as it was read, with changes in it: no report names a read-only field. */
const isWholeRecord = (body: BulkActionPatch): boolean =>
  BULK_ACTION_READ_ONLY.some((field) => Object.hasOwn(body, field))

/** What a user may change of an action. The rest of a whole record is the worker's, and may be out of date. */
const userFields = ({ status, token_budget }: BulkActionPatch): BulkActionPatch =>
  status === 'pending' || status === 'running' ? { token_budget } : { status, token_budget }

/**
 * The fields that a whole record changes, and an external worker's `waiting_for`, which a report would clear. The end of an
 * action that goes on is out of date.
 */
function requestedChanges(action: store.BulkActionState, sent: BulkActionPatch): BulkActionPatch {
  const changes = pickChanges(action, sent)
  if (!FINAL_STATUSES.includes(sent.status ?? action.status)) delete changes.completed_at
  return action.reported_fields === null ? changes : { ...changes, waiting_for: sent.waiting_for }
}

/** The fields whose value differs from the action's; undefined ones are left out. */
function pickChanges<T extends { [K in keyof store.Change]?: unknown }>(
  action: store.BulkActionState,
  fields: T,
): T {
  const isChange = ([field, value]: [string, unknown]) =>
    value !== undefined &&
    (field === 'completed_at' && typeof value === 'string' && action.completed_at !== null
      ? Date.parse(value) !== Date.parse(action.completed_at)
      : !isDeepStrictEqual(value, action[field as keyof store.Change]))
  return Object.fromEntries(Object.entries(fields).filter(isChange)) as T
}

/** @throws Forbidden when a user who is not the worker reports, InvalidInput when they cancel an action that has ended */
function requireUserChange(action: store.BulkActionState, patch: BulkActionPatch): void {
  const changes = pickChanges(action, patch)
  const allowed = patch.status === 'cancelled' ? ['status', 'token_budget'] : ['token_budget']
  const refused = Object.keys(changes).find((field) => !allowed.includes(field))
  if (refused)
    throw new Forbidden(
      `Only the worker may set ${refused}${refused === 'status' ? ` to ${patch.status}` : ''}. You can cancel the action (status: cancelled) and change its token_budget.`,
    )
  if (changes.status && FINAL_STATUSES.includes(action.status))
    throw new InvalidInput(`status must stay ${action.status}: the action has ended.`)
}

/** Whether an external worker reports. A cancel, or a change of token_budget or waiting_for, is not a report. */
function isReport(patch: BulkActionPatch): boolean {
  const reports: (keyof BulkActionPatch)[] = ['processed_companies', 'failed_companies', 'error_summary']
  if (patch.status !== 'cancelled') reports.push('status', 'completed_at')
  return reports.some((field) => patch[field] !== undefined)
}

/** An active action has no end time; one that ends without a time ends now. */
function completedAt(
  action: store.BulkActionState,
  { completed_at }: BulkActionPatch,
  status: BulkActionStatus,
): string | null | undefined {
  if (!FINAL_STATUSES.includes(status)) return null
  // The database would round more digits, perhaps up to the year 10000.
  if (completed_at) return new Date(completed_at).toISOString()
  if (completed_at === null && status !== 'cancelled') return null
  return status === action.status ? undefined : new Date().toISOString()
}
