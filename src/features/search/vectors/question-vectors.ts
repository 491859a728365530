import { LRUCache } from 'lru-cache'
import { Unavailable } from '#src/platform/errors.ts'
import type { Embedder } from '#src/platform/models/embedder.ts'
import { EndpointFailure } from '#src/platform/models/endpoint-faults.ts'
import type { AnsweringModel } from './stored-model.ts'

/** The next page asks the same question; colleagues often do. */
const REMEMBERED = 200
const SHUTDOWN_TIMEOUT_MS = 10_000

/**
 * A question's vector, as pgvector reads it.
 * @throws Unavailable when the endpoint fails
 */
export type QuestionVectors = (model: AnsweringModel, question: string) => Promise<string>

/** Asks the endpoint for the vectors of questions, each once. */
export function createQuestionVectors(embedder: Embedder): QuestionVectors {
  const known = new LRUCache<string, Promise<string>>({ max: REMEMBERED })
  return (model, question) => {
    const key = JSON.stringify([model.key, question])
    const remembered = known.get(key)
    if (remembered) return remembered
    const asked = ask(embedder, model, question)
    known.set(key, asked)
    asked.catch(() => known.delete(key))
    return asked
  }
}

async function ask(embedder: Embedder, model: AnsweringModel, question: string): Promise<string> {
  try {
    const [embedding] = await embedder.embed(model, [question], {
      length: model.length,
      milliseconds: SHUTDOWN_TIMEOUT_MS,
      retries: 0,
    })
    if (embedding && 'vector' in embedding) return JSON.stringify(embedding.vector)
    throw new EndpointFailure(embedding?.reason ?? 'The embedding endpoint gave no vector.')
  } catch (error) {
    if (error instanceof EndpointFailure) throw new Unavailable(error.message, { cause: error })
    throw error
  }
}
