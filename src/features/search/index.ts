export type { EmbeddedFields } from './embedding-text.ts'
export { countSupported } from './fusion.ts'
export { readScope } from './pgvector.ts'
export type { Indexes } from './semantic.ts'
export { openIndexes } from './semantic.ts'
export {
  embeddingModel,
  prepareEmbeddings,
  prepareIndexes,
  readEmbeddingStates,
  requireIndexes,
  storeEmbeddings,
} from './store.ts'
export { embedActive, embedConfigured, initialSpeed } from './vectors/embed-pending.ts'
export { readSupport, type Support, shareOf } from './weighted/support.ts'
export { parseWeightedQuery, type WeightedQuery } from './weighted/weighted-query.ts'
export { rankByWeightedQuery, scoreCompanies } from './weighted/weighted-ranking.ts'
export { indexChangedCompanies } from './words/index-changed.ts'
export type { RankedCompany } from './words/rank.ts'
