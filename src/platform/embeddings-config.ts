import { type EmbeddingModel, MOST_DIMENSIONS } from './embeddings.ts'
import { isWebAddress } from './formats.ts'
import type { Settings } from './settings.ts'

/** An endpoint that speaks OpenAI's `POST /embeddings`. */
export interface EndpointConfig {
  /** Up to the `/embeddings` that it ends in, such as https://api.openai.com/v1. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly model: Readonly<EmbeddingModel>
}

/** How companies are indexed for the search by meaning. */
export interface EmbeddingsConfig {
  readonly kind: (typeof KINDS)[number]
  /** Only of the kind `openai-compatible`. */
  readonly endpoint: EndpointConfig | undefined
}

const KINDS = ['builtin', 'openai-compatible', 'off'] as const

function isPlainAddress(text: string): boolean {
  if (!isWebAddress(text)) return false
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}

export function readEmbeddings(settings: Settings): EmbeddingsConfig {
  const kind = settings.oneOf('EMBEDDINGS', 'builtin', KINDS)
  const dimensions = settings.text('EMBEDDINGS_DIMENSIONS')
    ? settings.wholeNumber('EMBEDDINGS_DIMENSIONS', 0, 1, MOST_DIMENSIONS)
    : undefined
  const baseUrl = settings.text('EMBEDDINGS_BASE_URL')
  const apiKey = settings.text('EMBEDDINGS_API_KEY')
  const name = settings.text('EMBEDDINGS_MODEL')
  if (baseUrl && !isPlainAddress(baseUrl))
    settings.demand(
      'EMBEDDINGS_BASE_URL',
      'must be an address such as https://api.openai.com/v1, without a user (the key is EMBEDDINGS_API_KEY) or a query',
    )
  if (kind !== 'openai-compatible') return { kind, endpoint: undefined }
  if (!baseUrl)
    settings.demand(
      'EMBEDDINGS_BASE_URL',
      'EMBEDDINGS=openai-compatible needs it, such as https://api.openai.com/v1',
    )
  if (!name)
    settings.demand(
      'EMBEDDINGS_MODEL',
      'EMBEDDINGS=openai-compatible needs it, such as text-embedding-3-small',
    )
  return {
    kind,
    endpoint: Object.freeze({
      baseUrl: (baseUrl ?? '').replace(/\/+$/, ''),
      apiKey,
      model: Object.freeze({ name: name ?? '', dimensions }),
    }),
  }
}
