import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embedMany, TypeValidationError } from 'ai'
import type { EmbeddingModel, EndpointConfig } from '#src/platform/config/embeddings.ts'
import { isRefusal, lastOf, serverWords } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { limitedFetch } from '#src/platform/model-endpoint/limited-fetch.ts'
import { statusOfError } from '#src/platform/model-endpoint/server-message.ts'

export interface EmbeddingRequest {
  model: EmbeddingModel
  texts: string[]
  isQuestion: boolean
  retries: number
  signal: AbortSignal
}

/** Returns the vectors of texts, in their order. Their values may be anything. */
export type RequestVectors = (request: EmbeddingRequest) => Promise<unknown[][]>

/** A vector of 4,000 numbers as JSON, and the rest of a response. */
const MAX_VECTOR_BYTES = 128 * 1024
const MIN_RESPONSE_BYTES = 4 * 1024 * 1024

/** Fields that are left out once the endpoint refuses them by name. */
const OPTIONAL_FIELDS = ['encoding_format', 'dimensions'] as const
type OptionalField = (typeof OPTIONAL_FIELDS)[number]

/** What models that embed questions and documents differently call them. */
const INPUT_TYPES = [
  { question: 'query', document: 'passage' },
  { question: 'search_query', document: 'search_document' },
  { question: 'query', document: 'document' },
]

/** Opens an embedding endpoint, and remembers the fields that it refuses or requires. */
export function createVectorRequest({
  baseUrl,
  apiKey,
}: Pick<EndpointConfig, 'baseUrl' | 'apiKey'>): RequestVectors {
  const omitted = new Set<OptionalField>()
  /** The place in INPUT_TYPES; undefined: the field is not sent. */
  let inputType: number | undefined

  const send = async ({ model, texts, isQuestion, retries, signal }: EmbeddingRequest) => {
    const maxBytes = Math.max(MIN_RESPONSE_BYTES, texts.length * MAX_VECTOR_BYTES)
    const limited = limitedFetch(maxBytes)
    const types = inputType === undefined ? undefined : INPUT_TYPES[inputType]
    const adapted: typeof fetch = (input, init) => {
      const body = JSON.parse(String(init?.body)) as Record<string, unknown>
      for (const field of omitted) delete body[field]
      if (types) body.input_type = isQuestion ? types.question : types.document
      return limited(input, { ...init, body: JSON.stringify(body) })
    }
    const provider = createOpenAICompatible({
      name: 'embeddings',
      baseURL: baseUrl,
      fetch: omitted.size > 0 || types ? adapted : limited,
      ...(apiKey && { apiKey }),
    })
    try {
      const { embeddings, responses } = await embedMany({
        model: provider.embeddingModel(model.name),
        values: texts,
        maxRetries: retries,
        abortSignal: signal,
        ...(model.dimensions && { dimensions: model.dimensions }),
      })
      return inOrder(embeddings, responses?.[0]?.body)
    } catch (error) {
      return unusualAnswer(error, texts.length)
    }
  }
  /** @returns whether the request is worth another try, because its fields will differ */
  const learn = (error: unknown, sent: { omitted: number; inputType: number | undefined }): boolean => {
    // A request at the same time may have learned it.
    if (omitted.size !== sent.omitted || inputType !== sent.inputType) return true
    if (!isRefusal(error)) return false
    const words = serverWords(error)
    const refused = OPTIONAL_FIELDS.find((field) => words.includes(field) && !omitted.has(field))
    if (refused) omitted.add(refused)
    if (refused || !words.includes('input_type')) return Boolean(refused)
    const next = nextInputType(words, inputType)
    if (next !== undefined) inputType = next
    return next !== undefined
  }

  return async (request) => {
    for (;;) {
      const sent = { omitted: omitted.size, inputType }
      try {
        return await send(request)
      } catch (error) {
        if (!learn(error, sent)) throw error
      }
    }
  }
}

/** The kind of words that the server asks for, or else the next one that was not tried. */
function nextInputType(words: string, current: number | undefined): number | undefined {
  const first = current === undefined ? 0 : current + 1
  const named = INPUT_TYPES.findIndex(
    ({ document }, position) => position >= first && new RegExp(`\\b${document}\\b`).test(words),
  )
  if (named !== -1) return named
  return first < INPUT_TYPES.length ? first : undefined
}

/** OpenAI numbers the vectors and does not guarantee their order. */
function inOrder<T>(embeddings: T[], body: unknown): T[] {
  const items = (body as { data?: { index?: unknown }[] } | undefined)?.data ?? []
  const positions = items.map(({ index }) => index)
  if (
    new Set(positions).size !== embeddings.length ||
    !positions.every((position) => Number.isInteger(position))
  )
    return embeddings
  const ordered: T[] = []
  for (const [n, position] of positions.entries()) ordered[position as number] = embeddings[n] as T
  return ordered.length === embeddings.length ? ordered : embeddings
}

/**
 * The vectors of a response that contains something other than lists of numbers: some servers encode vectors as base64,
 * and JSON has no NaN, so some send null or text instead.
 * @throws this error if the response has another problem; one with the status of its code if it is an error
 */
function unusualAnswer(error: unknown, texts: number): unknown[][] {
  const last = lastOf(error)
  const fault = APICallError.isInstance(last) ? last.cause : last
  const body = TypeValidationError.isInstance(fault) ? fault.value : undefined
  const { data, error: failure } = (body ?? {}) as { data?: unknown; error?: unknown }
  if (failure && APICallError.isInstance(last))
    throw new APICallError({ ...last, message: last.message, statusCode: statusOfError(failure) })
  if (!Array.isArray(data) || data.length !== texts) throw error
  const vectors = data.map((item) => {
    const embedding = (item as { embedding?: unknown } | null)?.embedding
    return typeof embedding === 'string' ? decode(embedding) : embedding
  })
  if (!vectors.every((vector) => Array.isArray(vector))) throw error
  return inOrder(vectors, body)
}

/** The numbers of a vector in base64: 32-bit floats, little-endian. Undefined if it is something else. */
function decode(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined
  return Array.from({ length: bytes.length / 4 }, (_value, n) => bytes.readFloatLE(n * 4))
}
