export { hourlyPurge } from './purge.ts'
export { restoreCompanies } from './restore-records.ts'
export { continueUndos } from './undo.ts'
export { revertStalled, revertUnfinished } from './unfinished.ts'
