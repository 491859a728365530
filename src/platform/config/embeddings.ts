import { readEndpoint } from './model-endpoint.ts'
import type { Settings } from './settings.ts'

/** The maximum that pgvector can index at half precision. */
export const MAX_DIMENSIONS = 4000

/**
 * An embedding model: its name at the endpoint, and the dimensions to request (`undefined` for the model's default).
 */
export interface EmbeddingModel {
  name: string
  dimensions: number | undefined
}

/** An endpoint compatible with OpenAI's `POST /embeddings`. */
export interface EndpointConfig {
  /** The URL before `/embeddings`, such as https://api.openai.com/v1. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly model: Readonly<EmbeddingModel>
}

/** How records are indexed for semantic search. */
export interface EmbeddingsConfig {
  readonly kind: (typeof KINDS)[number]
  /** Set if `kind` is `openai-compatible`. */
  readonly endpoint: EndpointConfig | undefined
  /** The model that makes vectors; `undefined` if words are ranked alone or search is off. */
  readonly model: Readonly<EmbeddingModel> | undefined
  /** The weight of vectors beside words, from 0 to 1. */
  readonly vectorWeight: number
  /** With a lower cosine, a text has nothing to do with a question. 0 for models whose cosines are unknown. */
  readonly minCosine: number
  /** How many records get a vector; `undefined` for all. */
  readonly maxVectors: number | undefined
}

const KINDS = ['builtin', 'builtin-words', 'openai-compatible', 'off'] as const

const BUILTIN_MODEL: EmbeddingModel = Object.freeze({
  name: 'universal-sentence-encoder-lite',
  dimensions: undefined,
})
const BUILTIN_LIMIT = 200_000
/** For the built-in model, the best weight in the evaluation (`npm run eval:search -- FILE.csv --tune`). */
const VECTOR_WEIGHT = 0.5
/** The answers of the evaluation have 0.34 or more, and the texts nearest to random letters at most 0.3. */
const BUILTIN_MIN_COSINE = 0.3

export function readEmbeddings(settings: Settings): EmbeddingsConfig {
  const kind = readKind(settings)
  const dimensions = settings.text('EMBEDDINGS_DIMENSIONS')
    ? settings.wholeNumber('EMBEDDINGS_DIMENSIONS', 0, 1, MAX_DIMENSIONS)
    : undefined
  const limit = settings.wholeNumber('EMBEDDINGS_BUILTIN_LIMIT', BUILTIN_LIMIT, 1, 10_000_000)
  const isBuiltin = kind === 'builtin'
  const vectorWeight = settings.fraction('SEARCH_VECTOR_WEIGHT', VECTOR_WEIGHT)
  const endpoint = readEndpoint(settings, 'EMBEDDINGS', kind, 'text-embedding-3-small', ['DIMENSIONS'])
  if (!isBuiltin)
    settings.warnIfUnused({ EMBEDDINGS_BUILTIN_LIMIT: String(BUILTIN_LIMIT) }, 'EMBEDDINGS is builtin')
  const minCosine = isBuiltin ? BUILTIN_MIN_COSINE : 0
  const common = { kind, vectorWeight, minCosine, maxVectors: isBuiltin ? limit : undefined }
  if (!endpoint) return { ...common, endpoint, model: isBuiltin ? BUILTIN_MODEL : undefined }
  const model = Object.freeze({ name: endpoint.model, dimensions })
  return { ...common, endpoint: Object.freeze({ ...endpoint, model }), model }
}

function readKind(settings: Settings): EmbeddingsConfig['kind'] {
  if (settings.text('EMBEDDINGS') !== 'local') return settings.oneOf('EMBEDDINGS', 'builtin', KINDS)
  settings.addError(
    'EMBEDDINGS',
    'local is no longer supported; serve the model with an OpenAI-compatible server, and set ' +
      'EMBEDDINGS=openai-compatible, EMBEDDINGS_BASE_URL, and EMBEDDINGS_MODEL instead of EMBEDDINGS_MODEL_PATH',
  )
  return 'off'
}
