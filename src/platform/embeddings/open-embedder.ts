import type { Logger } from 'pino'
import type { EmbeddingsConfig } from '#src/platform/config/embeddings.ts'
import { createEmbedder, type Embedder } from './endpoint-embedder.ts'
import { createThreadEmbedder } from './thread-embedder.ts'

/** A name and 300 characters of the description: the model gets slower with the length, and not better. */
const BUILTIN_TEXT_LENGTH = 330

const thread = (name: string) => new URL(`./${name}/thread.ts`, import.meta.url)

/** Embeds with the model in the service. */
export const openBuiltinEmbedder = (
  log: Logger,
  { module = thread('sentence-encoder'), folder }: { module?: URL; folder?: string } = {},
): Required<Embedder> => createThreadEmbedder({ log, module, folder, maxTextLength: BUILTIN_TEXT_LENGTH })

/** The embedder that the settings select; undefined if they select none. */
export function openEmbedder({ kind, endpoint }: EmbeddingsConfig, log: Logger): Embedder | undefined {
  if (kind === 'builtin') return openBuiltinEmbedder(log)
  return endpoint && createEmbedder(endpoint)
}
