export { companyAttachment, companyMerging } from './company-records.ts'
export { mergedKind } from './kind.ts'
export { personMerging } from './person-records.ts'
