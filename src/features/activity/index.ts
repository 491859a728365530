export { aboutOf, aboutOfEntity, namedLinks, targetName } from './about.ts'
export {
  type Action,
  type Actor,
  actionRow,
  insertAction,
  insertActionRows,
  lockAction,
  newAction,
} from './action.ts'
export type { ActionKind } from './action-schema.ts'
export { type AtomicChangeDb, changeAtomically } from './change-atomically.ts'
export { type Changes, changesOf, readHistory, readPast, recordAt, requirePast } from './changes.ts'
export { activityFields } from './fields.ts'
export { countHidden, requireVisibleAction } from './read-actions.ts'
export {
  actionCounter,
  activityCounter,
  activityRow,
  companyActivityPage,
  entityName,
  insertActivity,
  insertActivityRows,
  type NewActivity,
  recordAction,
  recordActivity,
  requireUnchanged,
} from './store.ts'
