export { readBulkActions } from './store.ts'
export {
  bulkActionPlaces,
  isActive,
  leaveActionRows,
  lockActionsOf,
  moveActionRows,
  removeCompanies,
} from './trashed-companies.ts'
export { blockReasons } from './waiting.ts'
