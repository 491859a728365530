export { clearKeysOf, recordKeyUses, revokeKeysOf } from './store.ts'
