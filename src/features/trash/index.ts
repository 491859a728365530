export {
  type Appearance,
  kindOf,
  type Obstacle,
  type PreviousValues,
  type RecordKind,
  type Refusal,
  type Removal,
  type Restoration,
} from './kind.ts'
export { hourlyPurge } from './purge.ts'
export { findMissingReferences, findTaken, setFields } from './put-back.ts'
export {
  copyFromTrash,
  copyToTrash,
  findTrashed,
  isMerged,
  lockEntries,
  lockedRows,
  mergedInto,
  orTrashed,
  RECORD_NAMES,
  readMerged,
  unknownCompanies,
  unknownRecords,
} from './store.ts'
