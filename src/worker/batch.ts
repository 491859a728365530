import type { Client, Result, Work } from '#src/client/client.ts'
import { InvalidRequest } from '#src/client/errors.ts'
import { storable } from './material.ts'
import { type BulkAction, type Handlers, isFinished, PostponedWork, type Progress } from './work.ts'

/** Results that could not be submitted. They are submitted, not computed again, when their batch is retried. */
export type UnsentResults = Map<string, Result>

const MAX_UNSENT_RESULTS = 1000

/** Calls the service, and retries while it is unreachable. */
export type ServiceCall = <T>(request: (client: Client) => Promise<T>) => Promise<T>

export interface Batch {
  /** The id of the bulk action. */
  id: string
  /** The attempt of the action that the batch belongs to. */
  attempt: number
  handlers: Handlers
  unsent: UnsentResults
  callService: ServiceCall
  progress: Progress
}

/**
 * Processes a batch until it is done, the action ends or its budget is used up.
 * @throws PostponedWork when something it needs is unavailable
 */
export async function processBatch(batch: Batch, work: Work): Promise<void> {
  const { id, handlers, unsent, progress } = batch
  const remaining = new Set(work.company_ids)
  const submit = async (results: Result[]): Promise<BulkAction> => {
    const action = await reportResults(batch, results)
    for (const { company_id } of results) {
      remaining.delete(company_id)
      unsent.delete(resultKey(id, company_id))
    }
    return action
  }
  if (remaining.size === 0) return
  const earlier = work.company_ids.flatMap((company_id) => unsent.get(resultKey(id, company_id)) ?? [])
  if (earlier.length > 0) await submit(earlier)
  const handler = handlers[work.action_type]
  if (!handler)
    throw new PostponedWork(
      `The worker is not configured for ${work.action_type}. Give it the service's settings.`,
    )
  let { is_over_budget } = work
  for await (const results of handler(remainingWork(work, remaining), progress)) {
    const action = await submit(results)
    if (isFinished(action)) return
    is_over_budget = isOverBudget(action)
    if (is_over_budget) break
  }
  if (remaining.size > 0 && is_over_budget)
    await submit(failedResults([...remaining], 'over_budget', OVER_BUDGET))
}

const resultKey = (id: string, company_id: string): string => `${id} ${company_id}`

/** Submits results. A result that the service rejects fails its company. Results it cannot accept yet are kept. */
export async function reportResults(
  batch: Pick<Batch, 'id' | 'attempt' | 'unsent' | 'callService'>,
  results: Result[],
): Promise<BulkAction> {
  const { id, attempt, unsent, callService } = batch
  const post = async (posted: Result[]) =>
    (
      await callService((client) =>
        client.postBulkActionResults({ params: { id }, body: { results: posted, attempt } }),
      )
    ).data
  try {
    return await post(results)
  } catch (error) {
    if (error instanceof PostponedWork)
      for (const result of results)
        if (unsent.size < MAX_UNSENT_RESULTS) unsent.set(resultKey(id, result.company_id), result)
    if (!(error instanceof InvalidRequest)) throw error
    const [first, ...others] = results
    if (!first) throw error
    if (others.length === 0)
      return post(
        failedResults([first.company_id], 'malformed', `The service rejected the result: ${error.details}`),
      )
    await reportResults(batch, [first])
    return reportResults(batch, others)
  }
}

/** The part of the work that concerns the remaining companies. */
function remainingWork(work: Work, remaining: ReadonlySet<string>): Work {
  const pick = <T extends { companies: { company_id: string }[] }>(part: T | undefined): T | undefined =>
    part && { ...part, companies: part.companies.filter(({ company_id }) => remaining.has(company_id)) }
  const { embedding, scoring, enrichment, ...common } = work
  return {
    ...common,
    ...defined({ embedding: pick(embedding), scoring: pick(scoring), enrichment: pick(enrichment) }),
  }
}

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

const OVER_BUDGET =
  'The token budget of the bulk action is used up. Raise it (PATCH token_budget), then retry.'

const isOverBudget = ({ usage, token_budget }: BulkAction): boolean =>
  token_budget !== null && usage.input_tokens + usage.output_tokens >= token_budget

/** A failed result for each company, all with the same error. */
export const failedResults = (company_ids: string[], kind: string, message: string): Result[] =>
  company_ids.map((company_id) => ({ company_id, error: { kind, message: storable(message, 2000) } }))
