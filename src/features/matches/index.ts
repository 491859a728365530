export { removeVerdicts } from './store.ts'
