import { type Action, recordAction } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { checkedPatch, lockCompany } from './check.ts'
import type { NewDecision } from './schema.ts'
import { insertDecision, readDecision, type StoredDecision } from './store.ts'
import { decisionActivity } from './write-changes.ts'

/**
 * Records a decision, or an open one, and the creation.
 * @param timeZone whose days count
 * @throws InvalidInput that names the field that is wrong
 */
export const createDecision = (
  db: Db,
  action: Action,
  { company_id, ...fields }: NewDecision,
  timeZone: string,
): Promise<Json> =>
  db.transaction().execute(async (transaction) => {
    await lockCompany(transaction, company_id)
    const id = newId('dec')
    const time = idTime(id).toISOString()
    const defaults: StoredDecision = {
      ...{ id, company_id, deal_id: null, outcome: null, reasons: [], body: '', asked: [], votes: {} },
      ...{ decided_at: null, revisit_on: null, author_email: action.user?.email ?? null },
      ...{ created_at: time, updated_at: time },
    }
    const decision = { ...defaults, ...(await checkedPatch(transaction, defaults, fields, timeZone)) }
    await insertDecision(transaction, decision)
    await recordAction(transaction, action, [decisionActivity('decision_created', decision)])
    return orNotFound(await readDecision(transaction, id), 'decision', id)
  })
