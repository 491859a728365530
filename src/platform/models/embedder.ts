import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embedMany, TypeValidationError } from 'ai'
import type { EmbeddingModel, EndpointConfig } from '#src/platform/config/embeddings.ts'
import {
  EndpointFailure,
  type EndpointName,
  failureOf,
  isInputFault,
  isRefusal,
  lastOf,
  reasonOf,
  wrongLength,
} from './endpoint-faults.ts'

/** A text's vector, or why this text has none. */
export type Embedding = { vector: number[] } | { reason: string }

const ENDPOINT: EndpointName = { name: 'The embedding endpoint', settings: 'EMBEDDINGS' }

export interface EmbedOptions {
  /** Of the vectors, where it is known already. */
  length: number | undefined
  /** To wait at most, with all pauses. */
  milliseconds: number
  /** How often a request that failed with 429, 5xx or on the way is sent again. */
  retries: number
  /** Gives up at once. */
  stopped?: AbortSignal
}

/** For a batch of texts that nobody waits for. */
export const BATCH_RETRY_POLICY = { milliseconds: 120_000, retries: 2 }

export interface Embedder {
  /**
   * Texts as vectors, in their order. A text that the endpoint refuses is shortened; one that it still refuses, or
   * gives no usable vector for, has the reason in its place.
   * @throws EndpointFailure
   */
  embed(model: EmbeddingModel, texts: string[], options: EmbedOptions): Promise<Embedding[]>
}

/** Beyond this a text is cut at once; a refused one is cut to the next shorter of the others. */
const MAX_TEXT_LENGTH = 8000
const SHORTER = [2000, 500]
const MANY = 16
const NO_VECTOR = 'The embedding endpoint gave no vector.'
/** A text that nothing can be wrong with tells whether it is the endpoint that is. */
const PROBE = 'software'

/** Vectors from any endpoint that speaks OpenAI's `POST /embeddings`; 429 and 5xx are tried again, with pauses. */
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
      const found = await askApart(
        ask,
        texts.map((text) => cut(text, MAX_TEXT_LENGTH)),
      )
      return ofOneLength(model, found, length)
    },
  }
}

/** Gives the texts' vectors, in their order; a request that fails is sent again so many times. */
type Ask = (texts: string[], retries?: number) => Promise<unknown[][]>

/** The texts' vectors, where one that the endpoint cannot take does not take the others with it. */
async function askApart(ask: Ask, texts: string[]): Promise<Embedding[]> {
  try {
    const found = (await ask(texts)).map(checked)
    if (found.some((embedding) => 'reason' in embedding)) await probe(ask)
    return found
  } catch (error) {
    if (!isInputFault(error)) throw failureOf(error, ENDPOINT)
    await probe(ask)
    const found = await split(ask, texts, error)
    // So many texts cannot all be what it stumbles over, when it does not say so.
    const isOfNoUse =
      texts.length >= MANY && !isRefusal(error) && found.every((embedding) => 'reason' in embedding)
    if (isOfNoUse) throw failureOf(error, ENDPOINT)
    return found
  }
}

/** Asks for less and less of texts that were too much together. */
async function split(ask: Ask, texts: string[], error: unknown): Promise<Embedding[]> {
  if (texts.length === 1) return [await askShorter(ask, texts[0] ?? '', error)]
  const middle = Math.ceil(texts.length / 2)
  const found: Embedding[] = []
  for (const half of [texts.slice(0, middle), texts.slice(middle)])
    found.push(
      ...(await ask(half, 0).then(
        (vectors) => vectors.map(checked),
        (fault) => {
          if (!isInputFault(fault)) throw failureOf(fault, ENDPOINT)
          return split(ask, half, fault)
        },
      )),
    )
  return found
}

async function askShorter(ask: Ask, text: string, error: unknown): Promise<Embedding> {
  // The same once more: it may have been a moment's fault.
  for (const length of [text.length, ...SHORTER.filter((shorter) => shorter < text.length)])
    try {
      const [found = { reason: NO_VECTOR }] = (await ask([cut(text, length)], 0)).map(checked)
      return found
    } catch (fault) {
      if (!isInputFault(fault)) throw failureOf(fault, ENDPOINT)
    }
  // It may have gone down meanwhile.
  await probe(ask)
  return { reason: reasonOf(error, ENDPOINT) }
}

/** Sees whether it is the texts or the endpoint. */
async function probe(ask: Ask): Promise<void> {
  const [found = { reason: NO_VECTOR }] = await ask([PROBE]).then(
    (vectors) => vectors.map(checked),
    (error) => {
      throw isRefusal(error)
        ? new EndpointFailure(`${reasonOf(error, ENDPOINT)} It says so of every text.`, { cause: error })
        : failureOf(error, ENDPOINT)
    },
  )
  if ('reason' in found) throw new EndpointFailure(`${found.reason} It does so for every text.`)
}

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** OpenAI's answers number the vectors; their order is not promised. */
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
 * The vectors of an answer that has something in them that is no number: JSON has no NaN, so that is null or a text.
 * @throws the error, if it is another one
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

/** The cosine of a vector of zeros, or with something that is no number, is no number either. */
function checked(vector: unknown[]): Embedding {
  const numbers = vector as number[]
  if (!vector.every((number) => typeof number === 'number' && Number.isFinite(Math.fround(number))))
    return { reason: 'The embedding endpoint gave a vector with something that is not a number.' }
  if (numbers.every((number) => Math.fround(number) === 0))
    return { reason: 'The embedding endpoint gave a vector of zeros.' }
  return { vector: normalized(numbers) }
}

/** Of length 1: then any of them fits half precision, and the inner product is the cosine. */
function normalized(vector: number[]): number[] {
  const largest = Math.max(...vector.map(Math.abs))
  const scaled = vector.map((number) => number / largest)
  const length = Math.hypot(...scaled)
  return scaled.map((number) => number / length)
}

/** Vectors of another length than the model's cannot be compared with its others. */
function ofOneLength(model: EmbeddingModel, found: Embedding[], known: number | undefined): Embedding[] {
  const lengths = found.map((embedding) => ('vector' in embedding ? embedding.vector.length : undefined))
  const expected = known ?? mostCommon(lengths)
  const wrong = lengths.find((length) => length !== undefined && length !== expected)
  if (wrong === undefined) return found
  if (!lengths.includes(expected)) throw wrongLength(model.name, wrong, expected ?? 0)
  return found.map((embedding, n) =>
    lengths[n] === undefined || lengths[n] === expected
      ? embedding
      : {
          reason: `The embedding endpoint gave a vector of ${lengths[n]} dimensions instead of ${expected}.`,
        },
  )
}

/** One odd vector must not say how long the others have to be. */
function mostCommon(lengths: (number | undefined)[]): number | undefined {
  const counts = new Map<number, number>()
  for (const length of lengths) if (length !== undefined) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
