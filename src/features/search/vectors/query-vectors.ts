import { LRUCache } from 'lru-cache'
import type { Embedding } from '#src/platform/embeddings/embedding-batches.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { EndpointFailure } from '#src/platform/model-endpoint/endpoint-errors.ts'
import type { ActiveModel } from './stored-model.ts'

/** The next page repeats the question, and colleagues often ask the same one. */
const MAX_CACHED_VECTORS = 500
const QUESTION_TIMEOUT_MS = 10_000

/**
 * Embeds questions. Returns the vectors in pgvector's text format.
 * @throws Unavailable when the endpoint fails
 */
export type EmbedQueries = (model: ActiveModel, questions: string[]) => Promise<string[]>

/** Embeds questions through the endpoint, and caches their vectors. */
export function createQueryEmbedder(embedder: Embedder): EmbedQueries {
  const vectors = new LRUCache<string, Promise<string>>({ max: MAX_CACHED_VECTORS })
  return (model, questions) => {
    const keyOf = (question: string) => JSON.stringify([model.key, question])
    const missing = [...new Set(questions)].filter((question) => !vectors.has(keyOf(question)))
    const requested = missing.length > 0 ? requestVectors(embedder, model, missing) : undefined
    const added = new Map<string, Promise<string>>()
    for (const [n, question] of missing.entries()) {
      const vector = (requested as Promise<Embedding[]>).then((embeddings) => asText(embeddings[n]))
      added.set(question, vector)
      vectors.set(keyOf(question), vector)
      vector.catch(() => vectors.delete(keyOf(question)))
    }
    return Promise.all(
      questions.map((question) => added.get(question) ?? (vectors.get(keyOf(question)) as Promise<string>)),
    )
  }
}

function asText(embedding: Embedding | undefined): string {
  if (embedding && 'vector' in embedding) return JSON.stringify(embedding.vector)
  throw new Unavailable(embedding?.reason ?? 'The embedding endpoint returned no vector.')
}

async function requestVectors(
  embedder: Embedder,
  model: ActiveModel,
  questions: string[],
): Promise<Embedding[]> {
  try {
    return await embedder.embed(model, questions, {
      length: model.length,
      milliseconds: QUESTION_TIMEOUT_MS,
      retries: 0,
      isUrgent: true,
    })
  } catch (error) {
    if (error instanceof EndpointFailure) throw new Unavailable(error.message, { cause: error })
    throw error
  }
}
