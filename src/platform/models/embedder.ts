import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embedMany, TypeValidationError } from 'ai'
import type { EmbeddingModel, EndpointConfig } from '#src/platform/config/embeddings.ts'
import {
  EndpointFailure,
  type EndpointName,
  failureOf,
  isInputError,
  isRefusal,
  lastOf,
  reasonOf,
  wrongLength,
} from './endpoint-faults.ts'

/** The vector of a text, or the reason why it has none. */
export type Embedding = { vector: number[] } | { reason: string }

const ENDPOINT: EndpointName = { name: 'The embedding endpoint', settings: 'EMBEDDINGS' }

export interface EmbedOptions {
  /** The expected length of the vectors, if known. */
  length: number | undefined
  /** The maximum total time, including retries. */
  milliseconds: number
  /** How many times to retry a request after 429, 5xx or a network error. */
  retries: number
  /** Aborts immediately. */
  stopped?: AbortSignal
  /** Whether someone waits for the answer. The built-in model embeds urgent texts first. */
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

/** Longer texts are cut before the request; a rejected text is cut to the next of the shorter lengths. */
const MAX_TEXT_LENGTH = 8000
const SHORTER_LENGTHS = [2000, 500]
const LARGE_BATCH = 16
const NO_VECTOR = 'The embedding endpoint returned no vector.'
/** A valid text, to tell whether the endpoint itself fails. */
const PROBE = 'software'

/** Embeds through any endpoint compatible with OpenAI's `POST /embeddings`. Retries 429 and 5xx with backoff. */
export function createEmbedder({ baseUrl, apiKey }: Pick<EndpointConfig, 'baseUrl' | 'apiKey'>): Embedder {
  const provider = createOpenAICompatible({ name: 'embeddings', baseURL: baseUrl, ...(apiKey && { apiKey }) })
  return {
    embed: async (model, texts, { length = model.dimensions, milliseconds, retries, stopped }) => {
      const timeout = AbortSignal.timeout(milliseconds)
      const ask: Ask = async (values, again = retries) => {
        try {
          const { embeddings, responses } = await embedMany({
            model: provider.embeddingModel(model.name),
            values,
            maxRetries: again,
            abortSignal: stopped ? AbortSignal.any([timeout, stopped]) : timeout,
            ...(model.dimensions && { dimensions: model.dimensions }),
          })
          return inOrder(embeddings, responses?.[0]?.body)
        } catch (error) {
          return unusualAnswer(error, values.length)
        }
      }
      const found = await embedSeparately(
        ask,
        texts.map((text) => cut(text, MAX_TEXT_LENGTH)),
      )
      return checkLengths(model, found, length)
    },
  }
}

/** Returns the vectors of the texts, in their order; retries a failed request this many times. */
type Ask = (texts: string[], retries?: number) => Promise<unknown[][]>

/** Embeds the texts so that one bad text does not fail the others. */
async function embedSeparately(ask: Ask, texts: string[]): Promise<Embedding[]> {
  try {
    const found = (await ask(texts)).map(checked)
    if (found.some((embedding) => 'reason' in embedding)) await probe(ask)
    return found
  } catch (error) {
    if (!isInputError(error)) throw failureOf(error, ENDPOINT)
    await probe(ask)
    const found = await split(ask, texts, error)
    // This many texts are unlikely to be all invalid, unless the endpoint says so.
    const isBroken =
      texts.length >= LARGE_BATCH && !isRefusal(error) && found.every((embedding) => 'reason' in embedding)
    if (isBroken) throw failureOf(error, ENDPOINT)
    return found
  }
}

/** Splits a rejected batch until each half succeeds or is a single text. */
async function split(ask: Ask, texts: string[], error: unknown): Promise<Embedding[]> {
  if (texts.length === 1) return [await embedShortened(ask, texts[0] ?? '', error)]
  const middle = Math.ceil(texts.length / 2)
  const found: Embedding[] = []
  for (const half of [texts.slice(0, middle), texts.slice(middle)])
    found.push(
      ...(await ask(half, 0).then(
        (vectors) => vectors.map(checked),
        (fault) => {
          if (!isInputError(fault)) throw failureOf(fault, ENDPOINT)
          return split(ask, half, fault)
        },
      )),
    )
  return found
}

async function embedShortened(ask: Ask, text: string, error: unknown): Promise<Embedding> {
  // The full text is tried once more: the error may have been temporary.
  for (const length of [text.length, ...SHORTER_LENGTHS.filter((shorter) => shorter < text.length)])
    try {
      const [found = { reason: NO_VECTOR }] = (await ask([cut(text, length)], 0)).map(checked)
      return found
    } catch (fault) {
      if (!isInputError(fault)) throw failureOf(fault, ENDPOINT)
    }
  // The endpoint may have gone down since.
  await probe(ask)
  return { reason: reasonOf(error, ENDPOINT) }
}

/** Checks whether the endpoint or the texts are the problem. */
async function probe(ask: Ask): Promise<void> {
  const [found = { reason: NO_VECTOR }] = await ask([PROBE]).then(
    (vectors) => vectors.map(checked),
    (error) => {
      throw isRefusal(error)
        ? new EndpointFailure(`${reasonOf(error, ENDPOINT)} It rejects every text.`, { cause: error })
        : failureOf(error, ENDPOINT)
    },
  )
  if ('reason' in found) throw new EndpointFailure(`${found.reason} This happens for every text.`)
}

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** OpenAI numbers the vectors and does not guarantee their order. */
function inOrder<T>(embeddings: T[], body: unknown): T[] {
  const items = (body as { data?: { index?: unknown }[] } | undefined)?.data ?? []
  const places = items.map(({ index }) => index)
  if (new Set(places).size !== embeddings.length || !places.every((place) => Number.isInteger(place)))
    return embeddings
  const ordered: T[] = []
  for (const [n, place] of places.entries()) ordered[place as number] = embeddings[n] as T
  return ordered.length === embeddings.length ? ordered : embeddings
}

/**
 * The vectors of a response that contains something other than numbers: JSON has no NaN, so some servers send null or
 * text.
 * @throws the given error if the response has another problem
 */
function unusualAnswer(error: unknown, texts: number): unknown[][] {
  const last = lastOf(error)
  const fault = APICallError.isInstance(last) ? last.cause : last
  const body = TypeValidationError.isInstance(fault) ? fault.value : undefined
  const data = (body as { data?: unknown } | undefined)?.data
  if (!Array.isArray(data) || data.length !== texts) throw error
  const vectors = data.map((item) => (item as { embedding?: unknown } | null)?.embedding)
  if (!vectors.every((vector) => Array.isArray(vector))) throw error
  return inOrder(vectors, body)
}

/** The cosine of a zero vector, or of one with a value that is not a number, is undefined. */
function checked(vector: unknown[]): Embedding {
  const numbers = vector as number[]
  if (!vector.every((number) => typeof number === 'number' && Number.isFinite(Math.fround(number))))
    return { reason: 'The embedding endpoint returned a vector with a value that is not a number.' }
  if (numbers.every((number) => Math.fround(number) === 0))
    return { reason: 'The embedding endpoint returned a vector of zeros.' }
  return { vector: normalized(numbers) }
}

/** Scales to length 1, so that every vector fits half precision and the inner product is the cosine. */
function normalized(vector: number[]): number[] {
  const largest = Math.max(...vector.map(Math.abs))
  const scaled = vector.map((number) => number / largest)
  const length = Math.hypot(...scaled)
  return scaled.map((number) => number / length)
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
