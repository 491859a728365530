import type { Context } from '#src/context.ts'
import { recordActivity } from '#src/features/activity/index.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { bulkActionActivity } from './activity.ts'
import { countCompanies, pendingCompanies, summarizeErrors } from './company-states.ts'
import { FINAL_STATUSES } from './schema.ts'
import * as store from './store.ts'

/**
 * Ends an action as failed because its other companies could not succeed either. They stay pending until a retry. An action
 * that has ended, or that an external worker has taken over, stays as it is.
 * @throws NotFound for an unknown action
 */
export async function stopBulkAction({ db }: Pick<Context, 'db'>, id: string, reason: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const action = orNotFound(await store.lockBulkAction(transaction, id), 'bulk action', id)
    if (FINAL_STATUSES.includes(action.status) || action.reported_fields !== null) return
    const pending = (await pendingCompanies(transaction, id)).sort()
    const example = { company_id: pending[0] ?? '', message: reason }
    await store.changeBulkAction(transaction, id, {
      status: 'failed',
      completed_at: new Date().toISOString(),
      waiting_for: null,
      error_summary: {
        ...(await summarizeErrors(transaction, id)),
        stopped: { count: pending.length, example },
      },
    })
    const { processed_companies, failed_companies } = await countCompanies(transaction, id)
    const { action_type } = action
    await recordActivity(transaction, store.actionUser(action), [
      bulkActionActivity('failed', action, { action_type, processed_companies, failed_companies }),
    ])
  })
}
