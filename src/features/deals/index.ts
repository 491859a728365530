export { dealFieldKind, readDealFields } from './fields.ts'
export { dealKind } from './kind.ts'
export { type DealMove, moveDeals, moveSources, moveSourcesToSurvivors } from './move.ts'
export { dealActivity, trashDealsOf } from './remove.ts'
export { restoreDeals, restoreDealsOf } from './restore.ts'
export { DEAL_STATUSES, type Deal, type DealStatus, MAX_NOTES_LENGTH, NewDeal } from './schema.ts'
export { nameSources, sourceNameOf } from './source.ts'
export { SOURCE_CHANNELS, SOURCE_TYPES, type Source, type SourceType } from './source-schema.ts'
export { readStageOptions } from './stage-options.ts'
export type { StageConfig } from './stage-schema.ts'
export { readStageConfig } from './stages.ts'
export { dealFields } from './store.ts'
export {
  type ImportedDeal,
  insertDeals,
  lockImportedDeals,
  newDeal,
  readImportedDeals,
  readTrashedDeals,
  writeDeals,
} from './write-many.ts'
