export { MAX_THESIS_COMPANIES } from './schema.ts'
export {
  findTrashed,
  foundOutsideTrash,
  isMerged,
  listTrash,
  mergedInto,
  notInTrash,
  readMerged,
  unknownCompanies,
  unknownRecords,
} from './store.ts'
