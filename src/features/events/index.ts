export { isOfThisServer, isSince, isSnapshot, mayHaveChanged, trimEvents } from './log.ts'
export type { EventKind } from './schema.ts'
