import type { EmbeddingModel, EndpointConfig } from '#src/platform/config/embeddings.ts'
import { wrongLength } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { type Ask, cut, type Embedding, EmbeddingBatches } from './embedding-batches.ts'
import { createVectorRequest } from './embedding-request.ts'
import { unitVector } from './unit-vector.ts'

export interface EmbedOptions {
  /** The expected length of the vectors, if known. */
  length: number | undefined
  /** The maximum total time, including retries. */
  milliseconds: number
  /** How many times to retry a request after 429, 5xx or a network error. */
  retries: number
  /** Aborts immediately. */
  stopped?: AbortSignal
  /** Whether a user waits for the vectors. The built-in model embeds urgent texts first. */
  isUrgent?: boolean
}

/** For background batches. */
export const BATCH_RETRY_POLICY = { milliseconds: 120_000, retries: 2 }

export interface Embedder {
  /**
   * Embeds texts, in their order. A text that the endpoint rejects is shortened and tried again. If that fails too,
   * or the vector is unusable, the result has the reason instead.
   * @throws EndpointFailure
   */
  embed(model: EmbeddingModel, texts: string[], options: EmbedOptions): Promise<Embedding[]>
  /** Why the embedder cannot embed now, as far as it knows without trying; null if it can. */
  fault?(): string | null
  /** Frees what the embedder holds, and rejects what it has not embedded. */
  close?(): Promise<void>
}

/** Longer texts are cut before the request. */
const MAX_TEXT_LENGTH = 8000

/** Embeds through any endpoint compatible with OpenAI's `POST /embeddings`. Retries 429 and 5xx with backoff. */
export function createEmbedder(endpoint: Pick<EndpointConfig, 'baseUrl' | 'apiKey'>): Embedder {
  const request = createVectorRequest(endpoint)
  const batches = new EmbeddingBatches()
  return {
    embed: async (model, texts, { length = model.dimensions, milliseconds, retries, stopped, isUrgent }) => {
      const timeout = AbortSignal.timeout(milliseconds)
      const signal = stopped ? AbortSignal.any([timeout, stopped]) : timeout
      const ask: Ask = async (batch, again = retries) => {
        const vectors = await request({
          model,
          texts: batch,
          isQuestion: isUrgent === true,
          retries: again,
          signal,
        })
        return vectors.map(checked)
      }
      const found = await batches.embed(
        ask,
        texts.map((text) => cut(text, MAX_TEXT_LENGTH)),
      )
      return checkLengths(model, found, length)
    },
  }
}

/** The cosine of a zero vector, or of one with a value that is not a number, is undefined. */
function checked(vector: unknown[]): Embedding {
  const numbers = vector as number[]
  if (!vector.every((number) => typeof number === 'number' && Number.isFinite(Math.fround(number))))
    return { reason: 'The embedding endpoint returned a vector with a value that is not a number.' }
  if (numbers.every((number) => Math.fround(number) === 0))
    return { reason: 'The embedding endpoint returned a vector of zeros.' }
  // Of length 1, so that every vector fits half precision.
  return { vector: unitVector(numbers) }
}

/** Vectors of a different length cannot be compared with the model's other vectors. */
function checkLengths(model: EmbeddingModel, found: Embedding[], known: number | undefined): Embedding[] {
  const lengths = found.map((embedding) => ('vector' in embedding ? embedding.vector.length : undefined))
  const expected = known ?? mostCommon(lengths)
  const wrong = lengths.find((length) => length !== undefined && length !== expected)
  if (wrong === undefined) return found
  if (!lengths.includes(expected)) throw wrongLength(model.name, wrong, expected ?? 0)
  return found.map((embedding, n) =>
    lengths[n] === undefined || lengths[n] === expected
      ? embedding
      : {
          reason: `The embedding endpoint returned a vector with ${lengths[n]} dimensions instead of ${expected}.`,
        },
  )
}

/** One odd vector must not determine the expected length of the others. */
function mostCommon(lengths: (number | undefined)[]): number | undefined {
  const counts = new Map<number, number>()
  for (const length of lengths) if (length !== undefined) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
