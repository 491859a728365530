export type { CompanyRelationship, Relationship } from './schema.ts'
export { listCompanyRelationships, listPersonRelationships } from './store.ts'
