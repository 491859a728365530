export { listCompanyRelationships, listPersonRelationships } from './store.ts'
