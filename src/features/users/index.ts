export { promoteFirstAdmins } from './first-admins.ts'
export {
  clearProfile,
  deleteDuplicate,
  type FilterCallers,
  filterCallers,
  findOrCreateUser,
  foldUserName,
  recordPresence,
  recordSignIn,
  requireOwner,
  requireUsers,
  type UserReferences,
  userReferences,
} from './store.ts'
export { type AdminSettings, changeAccessWithin } from './user-access.ts'
