export { hourlyPurge, purgeExpired } from './purge.ts'
export { restoreCompanies } from './restore-records.ts'
export { continueUndo, continueUndos } from './undo.ts'
export { revertStalled, revertUnfinished } from './unfinished.ts'
