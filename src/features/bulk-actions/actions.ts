import type { Context } from '#src/context.ts'
import { recordActivity } from '#src/features/activity/index.ts'
import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import { readTargetIds, targetOf } from '#src/features/companies/index.ts'
import { Conflict, InvalidInput, orNotFound } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { newId } from '#src/platform/ids.ts'
import { bulkActionActivity } from './activity.ts'
import * as states from './company-states.ts'
import { countCompanies, pendingCompanies, summarizeErrors } from './company-states.ts'
import {
  type ActionType,
  type BulkActionSelection,
  DEFAULT_PRIORITY,
  FINAL_STATUSES,
  MAX_COMPANIES,
  type NewBulkAction,
} from './schema.ts'
import { readEntered } from './scoring.ts'
import * as store from './store.ts'
import { requireBudget, requireFittingFields } from './validation.ts'
import { blockReasons, prepareFor } from './waiting.ts'

type Parts = Pick<Context, 'authorize' | 'config' | 'db' | 'bulkQueues' | 'filterCaller' | 'indexes'>

/**
 * Creates an action with its companies, jobs, activity record and audit entry in one transaction. An action that cannot start with
 * the current settings stays pending.
 * @throws InvalidInput for too many companies, and for companies or a thesis that do not exist; Conflict if there are not as
 *   many companies as expected; MissingPermission without a token budget that the caller needs
 */
export async function createBulkAction(
  parts: Parts,
  source: AuditSource & { user: User | null },
  { company_ids, filter, search, expect, ...options }: NewBulkAction,
): Promise<string> {
  const companies = await readSelection(parts, source.user, { company_ids, filter, search, expect })
  requireFittingFields(options)
  requireBudget(parts, source.user, options)
  const { config, db, bulkQueues } = parts
  const { action_type, priority_override } = options
  const priority = priority_override ?? DEFAULT_PRIORITY
  const { thesis_id = null, force = false, token_budget = null, existing = null } = options
  const waiting_for = await prepareFor(parts, action_type)
  const queue = bulkQueues[action_type]
  await queue.start()
  const id = newId('ba')
  const user_email = source.user?.email ?? null
  const action = { action_type, priority, user_email, thesis_id, force, token_budget, existing, waiting_for }
  await db.transaction().execute(async (transaction) => {
    await store.insertBulkAction(transaction, id, action, companies)
    await queue.send(transaction, createJobs(config, { id, attempt: 1, ...action }, companies))
    const metadata = { action_type, total_companies: companies.length, priority }
    await recordActivity(transaction, source.user, [
      bulkActionActivity('created', { id, action_type }, metadata),
    ])
    const details = { bulk_action_id: id, ...metadata }
    await recordAudit(transaction, source, { event: 'bulk_action_started', details })
  })
  return id
}

/**
 * What a scoring of these companies would find.
 * @throws InvalidInput for companies that do not exist or a wrong filter, Conflict if there are not as many companies
 *   as expected
 */
export async function previewBulkAction(
  parts: Pick<Parts, 'config' | 'db' | 'filterCaller'>,
  user: User | null,
  selection: BulkActionSelection,
) {
  const companies = await readSelection(parts, user, selection)
  return {
    total_companies: companies.length,
    entered_scores: (await readEntered(parts.db, companies)).size,
    can_replace: parts.config.llm.kind !== 'builtin',
  }
}

/** @throws InvalidInput for too many companies, Conflict if there are not as many as expected */
async function readSelection(
  { db, filterCaller }: Pick<Parts, 'db' | 'filterCaller'>,
  user: User | null,
  {
    company_ids,
    filter,
    search,
    expect,
  }: Pick<NewBulkAction, 'company_ids' | 'filter' | 'search' | 'expect'>,
): Promise<string[]> {
  const target = await targetOf(db, filterCaller(user), { ids: company_ids, filter, search }, 'company_ids')
  const companies = await readTargetIds(db, target, expect, MAX_COMPANIES)
  if (companies.length > MAX_COMPANIES)
    throw new InvalidInput(
      `company_ids must name at most ${MAX_COMPANIES} companies, not ${companies.length}.`,
    )
  return companies
}

function createJobs(
  config: Parts['config'],
  {
    id,
    action_type,
    priority,
    attempt,
  }: Pick<store.BulkActionState, 'id' | 'action_type' | 'priority' | 'attempt'>,
  company_ids: string[],
) {
  const size = batchSize(config, action_type, company_ids.length)
  const batches = Array.from({ length: Math.ceil(company_ids.length / size) }, (_value, n) =>
    company_ids.slice(n * size, (n + 1) * size),
  )
  return batches.map((batch) => ({ priority, data: { bulk_action_id: id, company_ids: batch, attempt } }))
}

/** Companies per job. Slow work is split into small jobs, so that several workers can share it. */
function batchSize({ llm }: Parts['config'], action_type: ActionType, companies: number): number {
  const isQuick =
    action_type === 'generate_embeddings' || (action_type === 'llm_score' && llm.kind === 'builtin')
  return isQuick ? LARGE_BATCH_SIZE : Math.min(SMALL_BATCH_SIZE, Math.ceil(companies / MAX_BATCHES))
}

const LARGE_BATCH_SIZE = 100
const SMALL_BATCH_SIZE = 10
const MAX_BATCHES = 200

/**
 * Gives an action's failed companies back to the included worker, and those that were pending when the action ended or
 * an external worker took over.
 * @throws Conflict if no company is left or the action was cancelled, Forbidden for someone else's action, NotFound,
 *   MissingPermission without a token budget that the caller needs
 */
export async function retryBulkAction(parts: Parts, user: User | null, id: string): Promise<void> {
  const { authorize, db, config, bulkQueues } = parts
  const { action_type } = orNotFound(await store.findBulkAction(db, id), 'bulk action', id)
  const waiting_for = await prepareFor(parts, action_type)
  const mustWait = waiting_for !== null || blockReasons(config)[action_type] !== undefined
  const queue = bulkQueues[action_type]
  await queue.start()
  await db.transaction().execute(async (transaction) => {
    const action = orNotFound(await store.lockBulkAction(transaction, id), 'bulk action', id)
    authorize(user, 'bulk', { owner: action.user_email })
    requireBudget(parts, user, action)
    if (action.status === 'cancelled') throw new Conflict('The action was canceled. Start another one.')
    const reopened = await states.resetFailed(transaction, id)
    // Pending companies have their jobs only while the included worker works on the action.
    const hasJobs = !FINAL_STATUSES.includes(action.status) && action.reported_fields === null
    // Those of an action that has ended may still be running.
    const attempt = hasJobs ? action.attempt : action.attempt + 1
    const left = hasJobs ? reopened : await states.pendingCompanies(transaction, id)
    if (left.length === 0) throw new Conflict('The action has no failed or pending companies to retry.')
    await store.changeBulkAction(transaction, id, {
      status: mustWait ? 'pending' : 'running',
      processed_companies: (await states.countCompanies(transaction, id)).processed_companies,
      failed_companies: 0,
      error_summary: await states.summarizeErrors(transaction, id),
      completed_at: null,
      waiting_for,
      reported_fields: null,
      attempt,
    })
    await queue.send(transaction, createJobs(config, { ...action, attempt }, left))
  })
}

/**
 * Ends an action as failed because its other companies could not succeed either. They stay pending until a retry. An action
 * that has ended or was retried since, or that an external worker has taken over, stays as it is.
 * @param attempt the attempt that the reason is from; by default, the present one
 * @throws NotFound for an unknown action
 */
export async function stopBulkAction(
  { db }: Pick<Context, 'db'>,
  id: string,
  reason: string,
  attempt?: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const action = orNotFound(await store.lockBulkAction(transaction, id), 'bulk action', id)
    if (FINAL_STATUSES.includes(action.status) || action.reported_fields !== null) return
    if (attempt !== undefined && attempt < action.attempt) return
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
