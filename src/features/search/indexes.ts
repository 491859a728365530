import type { EmbeddingsConfig } from '#src/platform/config/embeddings.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Embedder } from '#src/platform/embeddings/embedder.ts'
import { TEXT_VERSION } from './embedding-text.ts'
import type { Indexes } from './semantic.ts'
import { createEmbeddedShare } from './vectors/embedded-share.ts'
import { EmbeddingModels } from './vectors/embedding-models.ts'
import { createQueryEmbedder } from './vectors/query-vectors.ts'
import { enqueueAllCompanies, enqueueAllVectors } from './words/index-changed.ts'
import { LexicalIndex } from './words/lexical-index.ts'

/** The indexes that the settings select; undefined if semantic search is off. */
export function openIndexes(
  db: Db,
  { kind, model, vectorWeight, minCosine, maxVectors }: Omit<EmbeddingsConfig, 'endpoint' | 'modelFolder'>,
  embedder: Embedder | undefined,
): Indexes | undefined {
  if (kind === 'off') return undefined
  const lexicalIndex = new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies)
  if (!model || !embedder) return { lexicalIndex, vectors: undefined }
  return {
    lexicalIndex,
    vectors: {
      models: new EmbeddingModels(
        db,
        { ...model, isAtEndpoint: kind === 'openai-compatible' },
        TEXT_VERSION,
        enqueueAllVectors,
      ),
      embedQuestions: createQueryEmbedder(embedder),
      fault: () => embedder.fault?.() ?? null,
      weight: vectorWeight,
      minCosine,
      embeddedShare: createEmbeddedShare(db, maxVectors),
      isOptional: kind !== 'openai-compatible',
    },
  }
}
