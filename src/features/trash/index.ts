export type {
  Appearance,
  Obstacle,
  PreviousValues,
  RecordKind,
  Removal,
  Restoration,
} from './kind.ts'
export { hourlyPurge } from './purge.ts'
export { findMissingReferences, findTaken, setFields } from './put-back.ts'
export {
  copyFromTrash,
  copyToTrash,
  findTrashed,
  isMerged,
  lockEntries,
  mergedInto,
  orTrashed,
  readMerged,
  unknownCompanies,
  unknownRecords,
} from './store.ts'
