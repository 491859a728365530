import type { Logger } from 'pino'
import type { Config } from '#src/platform/config/config.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { createLanguageModel } from '#src/platform/language-model/language-model.ts'
import { embeddingHandler } from './embeddings.ts'
import { enrichmentHandler } from './enrichment.ts'
import { scoringHandler } from './scoring.ts'
import { createWebsiteReader } from './website.ts'
import type { Handlers } from './work.ts'

/** The handlers for the types of action that these settings allow. */
export function createHandlers(
  { embeddings, llm }: Config,
  embedder: Embedder | undefined,
  log: Logger,
): Handlers {
  const model = llm.endpoint && createLanguageModel(llm.endpoint, { log })
  return {
    ...(embeddings.kind !== 'off' && { generate_embeddings: embeddingHandler(embeddings.model, embedder) }),
    ...(llm.kind !== 'off' && {
      llm_score: scoringHandler(model),
      enrich_profile: enrichmentHandler(model, createWebsiteReader()),
    }),
  }
}
