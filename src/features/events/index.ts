export { isOfThisServer, isSince, isSnapshot, mayHaveChanged, trimEvents } from './log.ts'
export { type EventRecords, recordsOf } from './records.ts'
export { type EventRow, type EventRows, readEventRows } from './rows.ts'
export type { EventKind } from './schema.ts'
