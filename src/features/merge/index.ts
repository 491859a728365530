export { mergedCompanyKind } from './kind.ts'
