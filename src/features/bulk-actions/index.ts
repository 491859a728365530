export {
  bulkActionPlaces,
  isActive,
  leaveActionRows,
  lockActionsOf,
  moveActionRows,
  removeCompanies,
} from './trashed-companies.ts'
