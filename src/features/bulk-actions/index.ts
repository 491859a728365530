export {
  isActive,
  leaveActionRows,
  lockActionsOf,
  moveActionRows,
  removeCompanies,
  returnCompanies,
} from './trashed-companies.ts'
