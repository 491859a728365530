import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embedMany, RetryError, TypeValidationError } from 'ai'
import type { EndpointConfig } from './embeddings-config.ts'

/** What makes vectors: the endpoint's name for it, and how many dimensions to ask it for (`undefined`: its own number). */
export interface EmbeddingModel {
  name: string
  dimensions: number | undefined
}

/** A text's vector, or why this text has none. */
export type Embedding = { vector: number[] } | { reason: string }

/** The endpoint is of no use now, whatever the text. The message is a sentence for a person that leaks nothing. */
export class EndpointFailure extends Error {}

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

export interface Embedder {
  /**
   * Texts as vectors, in their order. A text that the endpoint refuses is shortened; one that it still refuses, or
   * gives no usable vector for, has the reason in its place.
   * @throws EndpointFailure
   */
  embed(model: EmbeddingModel, texts: string[], options: EmbedOptions): Promise<Embedding[]>
}

/** Beyond this a text is cut at once; a refused one is cut to the next shorter of the others. */
const LONGEST = 8000
const SHORTER = [2000, 500]
/** A text that nothing can be wrong with tells whether it is the endpoint that is. */
const PROBE = 'software'

/** Vectors from any endpoint that speaks OpenAI's `POST /embeddings`; 429 and 5xx are tried again, with pauses. */
export function createEmbedder({ baseUrl, apiKey }: Pick<EndpointConfig, 'baseUrl' | 'apiKey'>): Embedder {
  const provider = createOpenAICompatible({ name: 'embeddings', baseURL: baseUrl, ...(apiKey && { apiKey }) })
  return {
    embed: async (model, texts, { length = model.dimensions, milliseconds, retries, stopped }) => {
      const timeout = AbortSignal.timeout(milliseconds)
      const ask: Ask = async (values) => {
        const { embeddings, responses } = await embedMany({
          model: provider.embeddingModel(model.name),
          values,
          maxRetries: retries,
          abortSignal: stopped ? AbortSignal.any([timeout, stopped]) : timeout,
          ...(model.dimensions && { dimensions: model.dimensions }),
        })
        return inOrder(embeddings, responses?.[0]?.body)
      }
      const found = await askApart(
        ask,
        texts.map((text) => cut(text, LONGEST)),
      )
      return ofOneLength(model, found, length)
    },
  }
}

type Ask = (texts: string[]) => Promise<number[][]>

/** The texts' vectors, where one that is refused does not take the others with it. */
async function askApart(ask: Ask, texts: string[], isSound = false): Promise<Embedding[]> {
  try {
    return (await ask(texts)).map(checked)
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw failureOf(error)
    if (!isSound) await probe(ask)
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2)
      const first = await askApart(ask, texts.slice(0, middle), true)
      return [...first, ...(await askApart(ask, texts.slice(middle), true))]
    }
    const [text = ''] = texts
    const shorter = SHORTER.find((length) => length < text.length)
    return shorter ? askApart(ask, [cut(text, shorter)], true) : [{ reason: refusal }]
  }
}

/** Sees whether the endpoint refuses everything. */
async function probe(ask: Ask): Promise<void> {
  try {
    await ask([PROBE])
  } catch (error) {
    const refusal = refusalOf(error)
    throw refusal
      ? new EndpointFailure(`${refusal} It says so of every text.`, { cause: error })
      : failureOf(error)
  }
}

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** OpenAI's answers number the vectors; their order is not promised. */
function inOrder(embeddings: number[][], body: unknown): number[][] {
  const items = (body as { data?: { index?: unknown }[] } | undefined)?.data ?? []
  const places = items.map(({ index }) => index)
  if (new Set(places).size !== embeddings.length || !places.every((place) => Number.isInteger(place)))
    return embeddings
  const ordered: number[][] = []
  for (const [n, place] of places.entries()) ordered[place as number] = embeddings[n] as number[]
  return ordered.length === embeddings.length ? ordered : embeddings
}

/** The cosine of a vector of zeros, or with something that is no number, is no number either. */
function checked(numbers: number[]): Embedding {
  if (!numbers.every((number) => Number.isFinite(Math.fround(number))))
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

export const wrongLength = (model: string, length: number, expected: number): EndpointFailure =>
  new EndpointFailure(
    `The embedding model ${model} gives vectors of ${length} dimensions where ${expected} are expected; set ` +
      `EMBEDDINGS_DIMENSIONS to ${length}, and everything is embedded anew.`,
  )

/** Vectors of another length than the model's cannot be compared with its others. */
function ofOneLength(model: EmbeddingModel, found: Embedding[], known: number | undefined): Embedding[] {
  const lengths = found.map((embedding) => ('vector' in embedding ? embedding.vector.length : undefined))
  const expected = known ?? lengths.find(Boolean)
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

const lastOf = (error: unknown): unknown => (RetryError.isInstance(error) ? error.lastError : error)

/** Why the endpoint refused these texts; undefined when it failed for another reason. */
function refusalOf(error: unknown): string | undefined {
  const last = lastOf(error)
  if (isUnusableAnswer(last))
    return 'The embedding endpoint gave a vector with something that is not a number.'
  if (!APICallError.isInstance(last) || ![400, 413, 422].includes(last.statusCode ?? 0)) return undefined
  return `The embedding endpoint refused the text (${last.statusCode}: ${last.message.slice(0, 200)}).`
}

/** JSON has no NaN: what is not a number arrives as null or a text, and not as what the protocol says. */
const isUnusableAnswer = (error: unknown): boolean =>
  TypeValidationError.isInstance(error) ||
  (APICallError.isInstance(error) && error.statusCode === 200 && TypeValidationError.isInstance(error.cause))

function failureOf(error: unknown): Error {
  if (error instanceof EndpointFailure) return error
  const last = lastOf(error)
  const { name } = last as Error
  if (name === 'TimeoutError' || name === 'AbortError')
    return new EndpointFailure('The embedding endpoint did not answer in time (EMBEDDINGS_BASE_URL).', {
      cause: last,
    })
  if (!APICallError.isInstance(last))
    return new EndpointFailure('The embedding endpoint did not give what was asked for.', { cause: last })
  return new EndpointFailure(explain(last.statusCode), { cause: last })
}

function explain(status: number | undefined): string {
  if (status === undefined)
    return 'The embedding endpoint cannot be reached; see to it, or to EMBEDDINGS_BASE_URL.'
  if (status === 401 || status === 403)
    return `The embedding endpoint refuses the key (${status}); set EMBEDDINGS_API_KEY to one that it takes.`
  if (status === 404)
    return 'The embedding endpoint has no such model or address (404); see to EMBEDDINGS_MODEL and EMBEDDINGS_BASE_URL.'
  if (status === 429) return 'The embedding endpoint is asked too often (429); try again later.'
  if (status === 200) return 'The embedding endpoint does not speak the protocol; see to EMBEDDINGS_BASE_URL.'
  return `The embedding endpoint failed (${status}); try again later.`
}
