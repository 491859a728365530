import type { Context } from '#src/context.ts'
import { embeddingModel, readEmbeddingStates } from '#src/features/search/store.ts'
import { found, unavailable } from '#src/platform/errors.ts'
import { readEnrichmentWork } from './enrichment.ts'
import { ENDED } from './schema.ts'
import { readScoringWork } from './scoring.ts'
import { companiesOf, findBulkAction, type KnownBulkAction } from './store.ts'
import { BUILTIN_MODEL, type Work } from './work-schema.ts'

type Parts = Pick<Context, 'config' | 'db' | 'objects' | 'indexes'>

/**
 * What a worker has to do for those of the companies that are still pending.
 * @throws HttpError 404 for an unknown action, 503 when what it needs is switched off or out of reach
 */
export async function readWork(parts: Parts, id: string, company_ids: string[]): Promise<Work> {
  const action = found(await findBulkAction(parts.db, id), 'bulk action', id)
  const { action_type, status, token_budget, tokens } = action
  const { pending } = ENDED.includes(status) ? { pending: [] } : await companiesOf(parts.db, id, company_ids)
  const is_over_budget = token_budget !== null && tokens >= token_budget
  const work = { action_type, status, is_over_budget, company_ids: pending }
  return pending.length === 0 ? work : { ...work, ...(await readPart(parts, action, pending)) }
}

async function readPart(
  { config: { llm }, db, objects, indexes }: Parts,
  action: KnownBulkAction,
  pending: string[],
): Promise<Pick<Work, 'embedding' | 'scoring' | 'enrichment'>> {
  if (action.action_type !== 'generate_embeddings' && llm.kind === 'off')
    throw unavailable(
      `LLM is off: set it to openai-compatible or builtin for ${action.action_type} to go on.`,
    )
  const model = llm.endpoint?.model ?? BUILTIN_MODEL
  switch (action.action_type) {
    case 'llm_score':
      return { scoring: { model, ...(await readScoringWork(db, action, pending)) } }
    case 'enrich_profile':
      return { enrichment: { model, ...(await readEnrichmentWork(db, objects, pending)) } }
    case 'generate_embeddings': {
      if (!indexes) throw unavailable('EMBEDDINGS=off: the service cannot say what to embed.')
      const companies = await readEmbeddingStates(db, indexes, pending)
      const states = companies.map((company) => ({
        ...company,
        is_current: company.is_current && !action.force,
      }))
      return { embedding: { model: embeddingModel(indexes), companies: states } }
    }
  }
}
