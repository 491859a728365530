import {
  type Action,
  type NewActivity,
  recordAction,
  requireUnchanged,
} from '#src/features/activity/index.ts'
import { type CustomFields, changeCustomValues } from '#src/features/fields/index.ts'
import { orTrashed, unknownRecords } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import type { DealsChanged, DealsPatch } from './bulk-change-schema.ts'
import { DEAL_READ_ONLY, type DealPatch } from './schema.ts'
import { lockDeal, lockDeals, readDeal, type StoredDeal, writeDeal } from './store.ts'
import { updateActivity } from './update-activity.ts'

/**
 * Changes a deal and records it.
 * @param ifMatch the If-Match header
 * @throws NotFound, PreconditionFailed if the deal has changed since, InvalidInput for wrong values
 */
export const updateDeal = (
  db: Db,
  customFields: CustomFields,
  action: Action,
  { id, body, ifMatch }: { id: string; body: DealPatch; ifMatch: string | undefined },
): Promise<{ deal: Json | undefined; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const locked = await lockDeal(transaction, id)
    const before = await orTrashed(transaction, locked, 'deal', id)
    await requireUnchanged(transaction, ifMatch, 'deal', before)
    const patch = withoutReadOnly(body, DEAL_READ_ONLY)
    const activities = await applyPatch(transaction, customFields, before, patch)
    await recordAction(transaction, action, activities)
    return { deal: await readDeal(transaction, id), isChanged: activities.length > 0 }
  })

/**
 * Makes the same changes to many deals, or to none, and records them as one action.
 * @throws InvalidInput for deals or an owner that do not exist, and for wrong custom values
 */
export const updateDeals = (
  db: Db,
  customFields: CustomFields,
  action: Action,
  { ids, changes }: DealsPatch,
): Promise<DealsChanged> =>
  db.transaction().execute(async (transaction) => {
    const deals = await lockDeals(transaction, ids)
    const known = new Set(deals.map(({ id }) => id))
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length > 0)
      throw await unknownRecords(transaction, 'ids must be ids of deals', unknown, 'POST /api/dealflow')
    const activities: NewActivity[] = []
    let updated = 0
    for (const deal of deals) {
      const ofDeal = await applyPatch(transaction, customFields, deal, changes)
      if (ofDeal.length > 0) updated++
      activities.push(...ofDeal)
    }
    await recordAction(transaction, action, activities)
    return { updated, unchanged: deals.length - updated, action_id: updated > 0 ? action.id : null }
  })

/** @returns the activity records of the change; none if nothing has changed */
async function applyPatch(
  transaction: Db,
  customFields: CustomFields,
  before: StoredDeal,
  patch: DealPatch,
): Promise<NewActivity[]> {
  const input = patch.custom && { before: before.custom, patch: patch.custom }
  const custom = input && (await changeCustomValues(transaction, customFields, 'deal', input))
  const { changes, timestamp } = await writeDeal(transaction, before, custom ? { ...patch, custom } : patch)
  return updateActivity(before, changes, timestamp)
}
