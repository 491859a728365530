export { creationCheck } from './creation-check.ts'
export { findDuplicates, scanDuplicates } from './scan.ts'
