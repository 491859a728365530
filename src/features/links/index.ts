export { replaceLinks } from './changes.ts'
export { findMissingTargets, keepLinkTargets, splitLinks } from './linked-kind.ts'
export { type LinkedKind, moveLinkedRecords, touchRecords } from './move-records.ts'
export { type AboutEntry, MAX_ABOUT } from './schema.ts'
export {
  hasLinks,
  insertLinks,
  isListed,
  type Link,
  type LinkPatch,
  type Links,
  linkOf,
  participantsOf,
  readLinks,
  readNames,
  recordsLinkedTo,
  removeLinks,
  targetsIn,
  writeLinks,
} from './store.ts'
export type { Relation } from './table.ts'
export { keepTargets, peopleEntries, requireAbout, requireParticipants } from './targets.ts'
