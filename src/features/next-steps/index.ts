export { nextStepCells, nextStepColumn, nextStepFields } from './columns.ts'
export type { NextStepColumn } from './schema.ts'
