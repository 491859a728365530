export { findOrCreateUser, recordPresence, recordSignIn } from './create.ts'
export { promoteFirstAdmins } from './first-admins.ts'
export {
  clearProfile,
  deleteDuplicate,
  type FilterCallers,
  filterCallers,
  findDisabled,
  foldUserName,
  requireOwner,
  requireTransfer,
  requireUsers,
  type UserReferences,
  userReferences,
} from './store.ts'
export { type AdminSettings, changeAccessWithin, readAccessChanges } from './user-access.ts'
