import type { Logger } from 'pino'
import type { EmbeddingsConfig } from '#src/platform/config/embeddings.ts'
import { openBuiltinEmbedder } from './builtin-embedder.ts'
import { createEmbedder, type Embedder } from './endpoint-embedder.ts'

/** The embedder that the settings select; undefined if they select none. */
export function openEmbedder({ kind, endpoint }: EmbeddingsConfig, log: Logger): Embedder | undefined {
  if (kind === 'builtin') return openBuiltinEmbedder(log)
  return endpoint && createEmbedder(endpoint)
}
