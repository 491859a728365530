import type { Result, Work } from '#src/client/client.ts'
import type { EmbeddingModel } from '#src/platform/config/embeddings.ts'
import { BATCH_RETRY_POLICY, type Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { documentWeights, LEXICAL_MODEL } from '#src/platform/lexical.ts'
import {
  EndpointFailure,
  EndpointRejection,
  EndpointTimeout,
} from '#src/platform/model-endpoint/endpoint-errors.ts'
import { type Handler, HopelessWork, PostponedWork, WorkError } from './work.ts'

/**
 * Embeds the companies whose text has changed since it was last embedded.
 * @param configured undefined to index words
 */
export function embeddingHandler(
  configured: EmbeddingModel | undefined,
  embedder: Embedder | undefined,
): Handler {
  const embed = createBatchEmbedder(configured, embedder)
  return async function* ({ embedding: work }, { stopped }) {
    if (work) yield await embed(work, stopped)
  }
}

function createBatchEmbedder(configured: EmbeddingModel | undefined, embedder: Embedder | undefined) {
  return async (
    { companies, model }: NonNullable<Work['embedding']>,
    stopped: AbortSignal,
  ): Promise<Result[]> => {
    if (
      model.name !== (configured?.name ?? LEXICAL_MODEL) ||
      model.dimensions !== (configured?.dimensions ?? null)
    )
      throw new WorkError(
        'The worker and the service have different EMBEDDINGS settings. Give both the same ones.',
      )
    const { key } = model
    const current = companies.filter(({ is_current }) => is_current)
    const changed = companies.filter(({ is_current }) => !is_current)
    const unchanged = current.map(({ company_id }): Result => ({ company_id }))
    if (!configured || !embedder)
      return [...unchanged, ...changed.map((company) => embedByWords(company, key))]
    if (changed.length === 0) return unchanged
    const embeddings = await embedder
      .embed(
        configured,
        changed.map(({ text }) => text),
        { length: undefined, ...BATCH_RETRY_POLICY, stopped },
      )
      .catch(rethrow)
    return [
      ...unchanged,
      ...changed.map(({ company_id, text_hash }, n): Result => {
        const embedding = embeddings[n]
        if (embedding && 'vector' in embedding)
          return { company_id, embedding: { model: key, text_hash, vector: embedding.vector.map(short) } }
        return {
          company_id,
          error: { kind: 'refused', message: embedding?.reason ?? 'The model returned no vector.' },
        }
      }),
    ]
  }
}

/** A batch that takes too long fails in the end. The other failures of an endpoint have nothing to do with its texts. */
function rethrow(error: unknown): never {
  if (error instanceof EndpointRejection) throw new HopelessWork(error.message)
  if (error instanceof EndpointFailure && !(error instanceof EndpointTimeout))
    throw new PostponedWork(error.message)
  throw error
}

function embedByWords({ company_id, text, text_hash }: EmbeddingCompany, model: string): Result {
  const weights = Array.from(documentWeights(text), ([dimension, weight]) => [dimension, short(weight)])
  return { company_id, embedding: { model, text_hash, weights } }
}

type EmbeddingCompany = NonNullable<Work['embedding']>['companies'][number]

/** pgvector stores no more digits than this. */
const short = (number: number) => Number(number.toPrecision(8))
