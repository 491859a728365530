import { readEndpoint } from './model-endpoint.ts'
import type { Settings } from './settings.ts'

/** The most that pgvector can index (half precision). */
export const MAX_DIMENSIONS = 4000

/** What makes vectors: the endpoint's name for it, and how many dimensions to ask it for (`undefined`: its own number). */
export interface EmbeddingModel {
  name: string
  dimensions: number | undefined
}

/** An endpoint that speaks OpenAI's `POST /embeddings`. */
export interface EndpointConfig {
  /** Up to the `/embeddings` that it ends in, such as https://api.openai.com/v1. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly model: Readonly<EmbeddingModel>
}

/** How records are indexed for semantic search. */
export interface EmbeddingsConfig {
  readonly kind: (typeof KINDS)[number]
  /** Only of the kind `openai-compatible`. */
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
