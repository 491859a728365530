export { moveLinks, replaceLinks } from './changes.ts'
export { type AboutEntry, MAX_ABOUT } from './schema.ts'
export {
  aboutOf,
  hasLinks,
  insertLinks,
  isListed,
  type Link,
  type LinkPatch,
  type Links,
  linkOf,
  participantsOf,
  readLinkedRecords,
  readLinks,
  readNames,
  recordsLinkedTo,
  removeLinks,
  targetsIn,
  writeLinks,
} from './store.ts'
export type { Relation } from './table.ts'
export { keepTargets, peopleEntries, requireAbout, requireParticipants } from './targets.ts'
