import type { EmbeddingModel } from '#src/platform/config/embeddings.ts'

/** A model whose vectors the database has. */
export interface StoredModel extends EmbeddingModel {
  /** The name, the dimensions and the version of the text: vectors of different keys are never compared. */
  key: string
  /** How many numbers its vectors have; null before the first one. */
  length: number | null
  /** `complete`: every document has, or had its chance to get, a vector. `former`: it is about to be removed. */
  state: 'filling' | 'complete' | 'former'
}

/** One that has vectors to answer by. */
export type AnsweringModel = StoredModel & { length: number }
