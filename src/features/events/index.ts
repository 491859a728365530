export type { EventKind } from './schema.ts'
export { isSnapshot, mayHaveChanged, trimEvents } from './store.ts'
