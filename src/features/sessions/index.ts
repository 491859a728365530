export {
  clearSessionsOf,
  deleteExpiredSessions,
  endSession,
  endSessionsOf,
  readLastSeen,
  recordSessionUses,
} from './store.ts'
