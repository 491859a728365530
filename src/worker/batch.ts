import type { Client, Result, Work } from '#src/client/client.ts'
import { InvalidRequest } from '#src/client/errors.ts'
import { cut } from './material.ts'
import { type BulkAction, type Handlers, isOver, PostponedWork, type Progress } from './work.ts'

/** Results that could not be handed in: they are not made again when their batch comes back. */
export type KeptResults = Map<string, Result>

const MAX_CACHED_RESULTS = 1000

/** Asks the service, for as long as it takes. */
export type Ask = <T>(question: (client: Client) => Promise<T>) => Promise<T>

export interface Batch {
  /** Of the bulk action. */
  id: string
  handlers: Handlers
  kept: KeptResults
  ask: Ask
  progress: Progress
}

/**
 * Does what is to be done, as long as the action goes on and its budget lasts.
 * @throws PostponedWork when it cannot go on now
 */
export async function processBatch(batch: Batch, work: Work): Promise<void> {
  const { id, handlers, kept, progress } = batch
  const left = new Set(work.company_ids)
  const settle = async (results: Result[]): Promise<BulkAction> => {
    const action = await reportResults(batch, results)
    for (const { company_id } of results) {
      left.delete(company_id)
      kept.delete(keyOf(id, company_id))
    }
    return action
  }
  if (left.size === 0) return
  const made = work.company_ids.flatMap((company_id) => kept.get(keyOf(id, company_id)) ?? [])
  if (made.length > 0) await settle(made)
  const handler = handlers[work.action_type]
  if (!handler)
    throw new PostponedWork(`A worker with other settings than the service cannot do ${work.action_type}.`)
  let { is_over_budget } = work
  for await (const results of handler(restOf(work, left), progress)) {
    const action = await settle(results)
    if (isOver(action)) return
    is_over_budget = isOverBudget(action)
    if (is_over_budget) break
  }
  if (left.size > 0 && is_over_budget) await settle(failed([...left], 'over_budget', OVER_BUDGET))
}

const keyOf = (id: string, company_id: string): string => `${id} ${company_id}`

/** Hands results in. Those that the service refuses as they are fail; those that it cannot take now are kept. */
export async function reportResults(
  batch: Pick<Batch, 'id' | 'kept' | 'ask'>,
  results: Result[],
): Promise<BulkAction> {
  const { id, kept, ask } = batch
  const post = async (posted: Result[]) =>
    (await ask((client) => client.postBulkActionResults({ params: { id }, body: { results: posted } }))).data
  try {
    return await post(results)
  } catch (error) {
    if (error instanceof PostponedWork)
      for (const result of results)
        if (kept.size < MAX_CACHED_RESULTS) kept.set(keyOf(id, result.company_id), result)
    if (!(error instanceof InvalidRequest)) throw error
    const [first, ...others] = results
    if (!first) throw error
    if (others.length === 0)
      return post(
        failed([first.company_id], 'malformed', `What was made of it was refused: ${error.details}`),
      )
    await reportResults(batch, [first])
    return reportResults(batch, others)
  }
}

/** The work without the companies that are dealt with already. */
function restOf(work: Work, left: ReadonlySet<string>): Work {
  const rest = <T extends { companies: { company_id: string }[] }>(part: T | undefined): T | undefined =>
    part && { ...part, companies: part.companies.filter(({ company_id }) => left.has(company_id)) }
  const { embedding, scoring, enrichment, ...common } = work
  return {
    ...common,
    ...defined({ embedding: rest(embedding), scoring: rest(scoring), enrichment: rest(enrichment) }),
  }
}

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

const OVER_BUDGET =
  'The token budget of the action had been used up; give it more (PATCH token_budget), and retry.'

const isOverBudget = ({ usage, token_budget }: BulkAction): boolean =>
  token_budget !== null && usage.input_tokens + usage.output_tokens >= token_budget

/** Companies that have failed, all for the same reason. */
export const failed = (company_ids: string[], kind: string, message: string): Result[] =>
  company_ids.map((company_id) => ({ company_id, error: { kind, message: cut(message, 2000) } }))
