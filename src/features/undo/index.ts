export { continueUndos, revertStalled, revertUnfinished } from './unfinished.ts'
