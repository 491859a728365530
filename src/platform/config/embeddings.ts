import { statSync } from 'node:fs'
import path from 'node:path'
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
  /** The folder of the model, if `kind` is `local`. */
  readonly modelFolder: string | undefined
  /** The model that makes vectors; `undefined` if words are ranked alone or search is off. */
  readonly model: Readonly<EmbeddingModel> | undefined
  /** The weight of vectors beside words, from 0 to 1. */
  readonly vectorWeight: number
  /** With a lower cosine, a text has nothing to do with a question. 0 for models whose cosines are unknown. */
  readonly minCosine: number
  /** How many records get a vector; `undefined` for all. */
  readonly maxVectors: number | undefined
}

const KINDS = ['builtin', 'builtin-words', 'local', 'openai-compatible', 'off'] as const

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
  const kind = settings.oneOf('EMBEDDINGS', 'builtin', KINDS)
  const dimensions = settings.text('EMBEDDINGS_DIMENSIONS')
    ? settings.wholeNumber('EMBEDDINGS_DIMENSIONS', 0, 1, MAX_DIMENSIONS)
    : undefined
  const limit = settings.wholeNumber('EMBEDDINGS_BUILTIN_LIMIT', BUILTIN_LIMIT, 1, 10_000_000)
  const isBuiltin = kind === 'builtin'
  const vectorWeight = settings.fraction('SEARCH_VECTOR_WEIGHT', VECTOR_WEIGHT)
  const endpoint = readEndpoint(settings, 'EMBEDDINGS', kind, 'text-embedding-3-small', ['DIMENSIONS'])
  if (!isBuiltin)
    settings.warnIfUnused({ EMBEDDINGS_BUILTIN_LIMIT: String(BUILTIN_LIMIT) }, 'EMBEDDINGS is builtin')
  const modelFolder = readModelFolder(settings, kind)
  const minCosine = isBuiltin ? BUILTIN_MIN_COSINE : 0
  const common = { kind, vectorWeight, minCosine, modelFolder, maxVectors: isBuiltin ? limit : undefined }
  if (modelFolder) {
    const model = Object.freeze({ name: path.basename(modelFolder), dimensions: undefined })
    return { ...common, endpoint: undefined, model }
  }
  if (!endpoint) return { ...common, endpoint, model: isBuiltin ? BUILTIN_MODEL : undefined }
  const model = Object.freeze({ name: endpoint.model, dimensions })
  return { ...common, endpoint: Object.freeze({ ...endpoint, model }), model }
}

function readModelFolder(settings: Settings, kind: string): string | undefined {
  const folder = settings.text('EMBEDDINGS_MODEL_PATH')
  if (kind !== 'local') {
    settings.warnIfUnused({ EMBEDDINGS_MODEL_PATH: '' }, 'EMBEDDINGS is local')
    return undefined
  }
  if (!folder)
    settings.addError(
      'EMBEDDINGS_MODEL_PATH',
      'is required with EMBEDDINGS=local, such as models/all-MiniLM-L6-v2',
    )
  else if (!isFolder(folder))
    settings.addError('EMBEDDINGS_MODEL_PATH', `must be the folder of a model; ${folder} is not a folder`)
  return folder && path.resolve(folder)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
