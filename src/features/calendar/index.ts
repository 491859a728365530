export { revokeCalendarOf } from './store.ts'
