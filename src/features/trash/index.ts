export type { Appearance, RecordKind, Removal, Restoration } from './kind.ts'
export { hourlyPurge } from './purge.ts'
export { findMissingReferences, findTaken, setFields } from './put-back.ts'
export {
  copyFromTrash,
  copyToTrash,
  findTrashed,
  foundOutsideTrash,
  isMerged,
  lockEntries,
  mergedInto,
  readMerged,
  unknownCompanies,
  unknownRecords,
} from './store.ts'
