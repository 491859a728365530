export { thesisFields } from './fields.ts'
export { thesisKind } from './kind.ts'
export { Criterion, MAX_CRITERIA, MAX_CRITERION_LENGTH } from './schema.ts'
export {
  readMatchedThesis,
  readThesisTexts,
  requireThesis,
  thesisIdsByCode,
  thesisSummaryFields,
  unknownThesis,
} from './store.ts'
