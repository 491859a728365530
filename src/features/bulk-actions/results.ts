import type { Context } from '#src/context.ts'
import { recordActivity } from '#src/features/activity/index.ts'
import { prepareEmbeddings, storeEmbeddings } from '#src/features/search/index.ts'
import { findTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput, orNotFound } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { bulkActionActivity } from './activity.ts'
import * as states from './company-states.ts'
import { storeProfiles } from './enrichment.ts'
import { type ActionType, FINAL_STATUSES } from './schema.ts'
import { storeScores } from './scoring.ts'
import * as store from './store.ts'
import type { Result } from './work-schema.ts'

type Parts = Pick<Context, 'db' | 'objects' | 'indexes'>

/**
 * Stores results, one per company, and updates the action's counters and status. Ignores results for an action that is
 * cancelled or that an external worker has taken over, errors from before a retry, and companies in the trash.
 * @param attempt the attempt that the results are from; by default, the present one
 * @throws InvalidInput, and stores nothing, for a company that is not in the action, or an outcome of another type of
 * action; NotFound for an unknown action, Unavailable if vectors cannot be stored
 */
export async function applyResults(
  { db, indexes, objects }: Parts,
  id: string,
  results: Result[],
  attempt?: number,
): Promise<void> {
  const last = new Map(results.map((result) => [result.company_id, result]))
  const embeddings = [...last.values()].flatMap(({ company_id, embedding, error }) =>
    embedding && !error ? [{ company_id, ...embedding }] : [],
  )
  const model = indexes && embeddings.length > 0 ? await prepareEmbeddings(indexes, embeddings) : undefined
  await db.transaction().execute(async (transaction) => {
    const action = orNotFound(await store.lockBulkAction(transaction, id), 'bulk action', id)
    requireMatchingOutcomes(action, results)
    const { pending, unknown } = await states.classifyCompanies(transaction, id, [...last.keys()])
    const trashed = await findTrashed(transaction, unknown)
    const stranger = unknown.find((company_id) => !trashed.has(company_id))
    if (stranger)
      throw new InvalidInput(
        `results must be of companies in the action; ${truncate(stranger, 100)} is not in it.`,
      )
    const isIgnored = action.status === 'cancelled' || action.reported_fields !== null
    const isEarlier = attempt !== undefined && attempt < action.attempt
    const newResults = (isIgnored ? [] : pending)
      .map((company_id) => last.get(company_id) as Result)
      .filter(({ error }) => !isEarlier || !error)
    if (newResults.length === 0) return
    await states.recordOutcomes(transaction, id, newResults)
    const usages = newResults.flatMap(({ usage }) => usage ?? [])
    if (usages.length > 0) await store.addUsage(transaction, id, usages)
    const isPending = new Set(pending)
    if (indexes)
      await storeEmbeddings(
        transaction,
        indexes,
        model,
        embeddings.filter(({ company_id }) => isPending.has(company_id)),
      )
    const succeeded = newResults.filter(({ error }) => !error)
    if (action.action_type === 'llm_score')
      await storeScores(
        transaction,
        action,
        succeeded.map(({ company_id }) => company_id),
        byCompany(succeeded, 'score'),
      )
    await updateProgress(transaction, action, newResults)
    await storeProfiles(transaction, objects, action, byCompany(succeeded, 'profile'))
  })
}

const OUTCOMES = {
  generate_embeddings: 'embedding',
  llm_score: 'score',
  enrich_profile: 'profile',
} as const satisfies Record<ActionType, keyof Result>

function requireMatchingOutcomes({ action_type }: store.BulkActionState, results: Result[]): void {
  const expected = OUTCOMES[action_type]
  const other = Object.values(OUTCOMES).find(
    (outcome) => outcome !== expected && results.some((result) => result[outcome]),
  )
  if (other)
    throw new InvalidInput(`A result of ${action_type} must have the outcome ${expected}, not ${other}.`)
}

function byCompany<K extends 'score' | 'profile'>(
  results: Result[],
  outcome: K,
): Map<string, NonNullable<Result[K]>> {
  return new Map(
    results.flatMap((result) => (result[outcome] ? [[result.company_id, result[outcome]] as const] : [])),
  )
}

/** Updates the counters and the status from the companies' rows. */
async function updateProgress(
  transaction: Db,
  action: store.BulkActionState,
  results: Result[],
): Promise<void> {
  const { pending, ...counters } = await states.countCompanies(transaction, action.id)
  const moves = !FINAL_STATUSES.includes(action.status)
  const hasErrors = counters.failed_companies > 0 || results.some(({ warning }) => warning)
  const { stopped } = action.error_summary
  const kept: store.ErrorSummary = moves || !stopped ? {} : { stopped }
  const ending = counters.processed_companies === 0 ? 'failed' : 'completed'
  await store.changeBulkAction(transaction, action.id, {
    ...counters,
    waiting_for: null,
    ...(hasErrors && {
      error_summary: { ...(await states.summarizeErrors(transaction, action.id)), ...kept },
    }),
    ...(moves && { status: pending === 0 ? ending : 'running' }),
    ...(moves && pending === 0 && { completed_at: new Date().toISOString() }),
  })
  if (moves && pending === 0)
    await recordActivity(transaction, store.actionUser(action), [
      bulkActionActivity(ending, action, { action_type: action.action_type, ...counters }),
    ])
}
