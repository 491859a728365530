export { readAccessChanges } from './access-changes.ts'
