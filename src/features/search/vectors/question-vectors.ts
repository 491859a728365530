import { LRUCache } from 'lru-cache'
import { Unavailable } from '#src/platform/errors.ts'
import type { Embedder } from '#src/platform/models/embedder.ts'
import { EndpointFailure } from '#src/platform/models/endpoint-faults.ts'
import type { AnsweringModel } from './stored-model.ts'

/** The next page repeats the question, and colleagues often do. */
const MAX_CACHED_VECTORS = 200
const QUESTION_TIMEOUT_MS = 10_000

/**
 * Embeds a question. Returns the vector in pgvector's text format.
 * @throws Unavailable when the endpoint fails
 */
export type EmbedQuestion = (model: AnsweringModel, question: string) => Promise<string>

/** Embeds questions through the endpoint, and caches their vectors. */
export function createQuestionEmbedder(embedder: Embedder): EmbedQuestion {
  const vectors = new LRUCache<string, Promise<string>>({ max: MAX_CACHED_VECTORS })
  return (model, question) => {
    const key = JSON.stringify([model.key, question])
    const cached = vectors.get(key)
    if (cached) return cached
    const vector = requestVector(embedder, model, question)
    vectors.set(key, vector)
    vector.catch(() => vectors.delete(key))
    return vector
  }
}

async function requestVector(embedder: Embedder, model: AnsweringModel, question: string): Promise<string> {
  try {
    const [embedding] = await embedder.embed(model, [question], {
      length: model.length,
      milliseconds: QUESTION_TIMEOUT_MS,
      retries: 0,
      isUrgent: true,
    })
    if (embedding && 'vector' in embedding) return JSON.stringify(embedding.vector)
    throw new EndpointFailure(embedding?.reason ?? 'The embedding endpoint returned no vector.')
  } catch (error) {
    if (error instanceof EndpointFailure) throw new Unavailable(error.message, { cause: error })
    throw error
  }
}
