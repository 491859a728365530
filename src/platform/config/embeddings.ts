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
}

const KINDS = ['builtin', 'openai-compatible', 'off'] as const

export function readEmbeddings(settings: Settings): EmbeddingsConfig {
  const kind = settings.oneOf('EMBEDDINGS', 'builtin', KINDS)
  const dimensions = settings.text('EMBEDDINGS_DIMENSIONS')
    ? settings.wholeNumber('EMBEDDINGS_DIMENSIONS', 0, 1, MAX_DIMENSIONS)
    : undefined
  const endpoint = readEndpoint(settings, 'EMBEDDINGS', kind, 'text-embedding-3-small', ['DIMENSIONS'])
  if (!endpoint) return { kind, endpoint }
  const model = Object.freeze({ name: endpoint.model, dimensions })
  return { kind, endpoint: Object.freeze({ ...endpoint, model }) }
}
