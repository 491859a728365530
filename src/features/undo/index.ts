export { continueUndos } from './undo.ts'
export { revertStalled, revertUnfinished } from './unfinished.ts'
