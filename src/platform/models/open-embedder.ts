import type { Logger } from 'pino'
import type { EmbeddingsConfig } from '#src/platform/config/embeddings.ts'
import { createEmbedder, type Embedder } from './embedder.ts'
import { createThreadEmbedder } from './sentence-encoder/thread-embedder.ts'

/** The embedder that the settings select; undefined if they select none. */
export function openEmbedder({ kind, endpoint }: EmbeddingsConfig, log: Logger): Embedder | undefined {
  if (kind === 'builtin') return createThreadEmbedder({ log })
  return endpoint && createEmbedder(endpoint)
}
