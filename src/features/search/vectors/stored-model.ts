import type { EmbeddingModel } from '#src/platform/config/embeddings.ts'

/** A model whose vectors are in the database. */
export interface StoredModel extends EmbeddingModel {
  /** The name, the dimensions and the text version. Vectors with different keys are never compared. */
  key: string
  /** The number of dimensions of its vectors; null before the first one. */
  length: number | null
  /** `complete`: every document has a vector or has failed. `former`: it is about to be removed. */
  state: 'filling' | 'complete' | 'former'
  /** Whether an endpoint makes its vectors. Otherwise the model runs in the service. */
  is_at_endpoint: boolean
}

/** A model whose vectors can be searched. */
export type ActiveModel = StoredModel & { length: number }
