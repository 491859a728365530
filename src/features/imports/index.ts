export { interruptAbandonedImports, isImporting } from './store.ts'
