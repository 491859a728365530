import type { Context } from '#src/context.ts'
import { recordActivity } from '#src/features/activity/store.ts'
import { prepareIndexes } from '#src/features/search/store.ts'
import { badRequest, conflict, forbidden, found, unavailable } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity.ts'
import { newId } from '#src/platform/ids.ts'
import { activity } from './activity.ts'
import {
  type ActionType,
  type BulkActionPatch,
  DEFAULT_PRIORITY,
  ENDED,
  type NewBulkAction,
} from './schema.ts'
import * as store from './store.ts'

type Parts = Pick<Context, 'config' | 'db' | 'bulkQueues' | 'indexes'>

/**
 * Starts an action: with its companies, its jobs and its record, or not at all.
 * @throws HttpError 400 for companies that are named twice or do not exist, 503 for work that cannot be done here
 */
export async function createBulkAction(
  parts: Parts,
  user: User | null,
  { company_ids, ...asked }: NewBulkAction,
): Promise<string> {
  const seen = new Set<string>()
  const twice = company_ids.find((id) => seen.size === seen.add(id).size)
  if (twice)
    throw badRequest(`company_ids must name each company once; ${twice.slice(0, 100)} is there twice.`)
  refuseUnfit(asked)
  await prepare(parts, asked.action_type)
  const { config, db, bulkQueues } = parts
  const queue = bulkQueues[asked.action_type]
  await queue.start()
  const id = newId('ba')
  const { action_type, priority_override: priority = DEFAULT_PRIORITY } = asked
  const { thesis_id = null, force = false, token_budget = null } = asked
  const action = { action_type, priority, user_email: user?.email ?? null, thesis_id, force, token_budget }
  await db.transaction().execute(async (transaction) => {
    await store.insertBulkAction(transaction, id, action, company_ids)
    await queue.send(transaction, jobsOf(config, { id, ...action }, company_ids))
    const metadata = { action_type, total_companies: company_ids.length, priority }
    await recordActivity(transaction, user, [activity('created', { id, action_type }, metadata)])
  })
  return id
}

/** What only some actions can make use of is refused by the others: whoever sends it expects something else. */
function refuseUnfit({ action_type, thesis_id, token_budget }: Omit<NewBulkAction, 'company_ids'>): void {
  if (thesis_id !== undefined && action_type !== 'llm_score')
    throw badRequest(`thesis_id goes with llm_score, not with ${action_type}.`)
  if ((token_budget ?? null) !== null && action_type === 'generate_embeddings')
    throw badRequest(
      'token_budget goes with llm_score and enrich_profile; generate_embeddings uses no language model.',
    )
}

/** @throws HttpError 503 for work that cannot be done here */
async function prepare({ config, indexes }: Parts, action_type: ActionType): Promise<void> {
  if (action_type !== 'generate_embeddings') {
    if (config.llm.kind !== 'off') return
    throw unavailable(
      `${action_type} needs a language model: set LLM=openai-compatible with LLM_BASE_URL and LLM_MODEL, or LLM=builtin to try it out by rules.`,
    )
  }
  if (!indexes)
    throw unavailable('generate_embeddings needs the search by meaning, which EMBEDDINGS=off switches off.')
  await prepareIndexes(indexes)
}

function jobsOf(
  config: Parts['config'],
  { id, action_type, priority }: Pick<store.KnownBulkAction, 'id' | 'action_type' | 'priority'>,
  company_ids: string[],
) {
  const size = batchSize(config, action_type, company_ids.length)
  const batches = Array.from({ length: Math.ceil(company_ids.length / size) }, (_value, n) =>
    company_ids.slice(n * size, (n + 1) * size),
  )
  return batches.map((batch) => ({ priority, data: { bulk_action_id: id, company_ids: batch } }))
}

/** Companies of a job. What takes seconds each is given out in small parts, for all that could work on it. */
function batchSize({ llm }: Parts['config'], action_type: ActionType, companies: number): number {
  const isQuick =
    action_type === 'generate_embeddings' || (action_type === 'llm_score' && llm.kind === 'builtin')
  return isQuick ? LARGE_BATCH : Math.min(SMALL_BATCH, Math.ceil(companies / MANY_BATCHES))
}

const LARGE_BATCH = 100
const SMALL_BATCH = 10
const MANY_BATCHES = 200

/**
 * Changes an action as its creator or a worker of somebody else asks for.
 * @throws HttpError 400 for counters beyond the total and for an action that has ended, 403 for somebody else's
 */
export async function patchBulkAction(
  { config, db }: Parts,
  user: User | null,
  id: string,
  patch: BulkActionPatch,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const action = found(await store.lockBulkAction(transaction, id), 'bulk action', id)
    refuseOthers(config, user, action)
    const { status = action.status } = patch
    refuseUnfit({ action_type: action.action_type, token_budget: patch.token_budget })
    if (ENDED.includes(action.status) && status !== action.status)
      throw badRequest(`status must stay ${action.status}: the action has ended.`)
    const processed = patch.processed_companies ?? action.processed_companies
    const failed = patch.failed_companies ?? action.failed_companies
    if (processed + failed > action.total_companies)
      throw badRequest(
        `processed_companies and failed_companies must not exceed total_companies together: ${processed} + ${failed} is more than ${action.total_companies}.`,
      )
    if (patch.completed_at && !ENDED.includes(status))
      throw badRequest(`completed_at must come with a status that ends the action (${ENDED.join(', ')}).`)
    const ends = ENDED.includes(status) && status !== action.status
    const { error_summary, ...fields } = patch
    await store.changeBulkAction(transaction, id, {
      ...fields,
      ...(error_summary && { error_summary: error_summary as store.ErrorSummary }),
      ...(ENDED.includes(status) && { waiting_for: null }),
      ...(ends && { completed_at: patch.completed_at ?? new Date().toISOString() }),
    })
    if (ends)
      await recordActivity(transaction, user, [
        activity(status as 'completed' | 'failed' | 'cancelled', action),
      ])
  })
}

/**
 * Works on the failed companies of an action again.
 * @throws HttpError 409 when none has failed, 403 for somebody else's, 503 for work that cannot be done here any more
 */
export async function retryBulkAction(parts: Parts, user: User | null, id: string): Promise<void> {
  const { config, db, bulkQueues } = parts
  const { action_type } = found(await store.findBulkAction(db, id), 'bulk action', id)
  await prepare(parts, action_type)
  const queue = bulkQueues[action_type]
  await queue.start()
  await db.transaction().execute(async (transaction) => {
    const action = found(await store.lockBulkAction(transaction, id), 'bulk action', id)
    refuseOthers(config, user, action)
    if (action.status === 'cancelled') throw conflict('The action has been cancelled; start another one.')
    const reopened = await store.reopenFailed(transaction, id)
    if (reopened.length === 0) throw conflict('None of its companies has failed.')
    await store.changeBulkAction(transaction, id, {
      status: 'running',
      processed_companies: (await store.countCompanies(transaction, id)).processed_companies,
      failed_companies: 0,
      error_summary: {},
      completed_at: null,
    })
    // Those that were pending when it was ended have no jobs any more; while it goes on they have theirs.
    const left = ENDED.includes(action.status) ? await store.pendingCompanies(transaction, id) : reopened
    await queue.send(transaction, jobsOf(config, action, left))
  })
}

function refuseOthers(
  { production }: Parts['config'],
  user: User | null,
  { user_email }: store.KnownBulkAction,
): void {
  if (production && !user?.isWorker && user?.email !== user_email)
    throw forbidden('A bulk action may be changed by who started it, and by the worker.')
}
