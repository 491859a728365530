import type { Context } from '#src/context.ts'
import { embeddingModel, prepareIndexes, readEmbeddingStates } from '#src/features/search/index.ts'
import { orNotFound, Unavailable } from '#src/platform/errors.ts'
import { classifyCompanies } from './company-states.ts'
import { readEnrichmentWork } from './enrichment.ts'
import { FINAL_STATUSES } from './schema.ts'
import { readScoringWork } from './scoring.ts'
import { type BulkActionState, findBulkAction } from './store.ts'
import { BUILTIN_MODEL, type Work } from './work-schema.ts'

type Parts = Pick<Context, 'config' | 'db' | 'objects' | 'indexes'>

/**
 * The work for those of the companies that are still pending.
 * @throws NotFound for an unknown action, Unavailable if a model or index that it needs is off or unavailable
 */
export async function readWork(parts: Parts, id: string, company_ids: string[]): Promise<Work> {
  const action = orNotFound(await findBulkAction(parts.db, id), 'bulk action', id)
  const { action_type, status, token_budget, tokens } = action
  const hasEnded = FINAL_STATUSES.includes(status) || action.reported_fields !== null
  const { pending } = hasEnded ? { pending: [] } : await classifyCompanies(parts.db, id, company_ids)
  const is_over_budget = token_budget !== null && tokens >= token_budget
  const work = { action_type, status, is_over_budget, company_ids: pending }
  return pending.length === 0 ? work : { ...work, ...(await readPart(parts, action, pending)) }
}

async function readPart(
  { config: { llm }, db, objects, indexes }: Parts,
  action: BulkActionState,
  pending: string[],
): Promise<Pick<Work, 'embedding' | 'scoring' | 'enrichment'>> {
  if (action.action_type !== 'generate_embeddings' && llm.kind === 'off')
    throw new Unavailable(
      `The service has no language model (LLM=off). ${action.action_type} needs the same LLM settings for the service as for the worker.`,
    )
  const model = llm.endpoint?.model ?? BUILTIN_MODEL
  switch (action.action_type) {
    case 'llm_score':
      return { scoring: { model, ...(await readScoringWork(db, action, pending)) } }
    case 'enrich_profile':
      return { enrichment: { model, ...(await readEnrichmentWork(db, objects, pending)) } }
    case 'generate_embeddings': {
      if (!indexes) throw new Unavailable('Semantic search is off for the service (EMBEDDINGS=off).')
      await prepareIndexes(indexes)
      const companies = await readEmbeddingStates(db, indexes, pending)
      const states = companies.map((company) => ({
        ...company,
        is_current: company.is_current && !action.force,
      }))
      return { embedding: { model: embeddingModel(indexes), companies: states } }
    }
  }
}
