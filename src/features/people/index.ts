export { personFieldKind, readPersonFields } from './fields.ts'
export { personKind } from './kind.ts'
export { type Link, MAX_COMPANIES_OF_PERSON } from './link-schema.ts'
export { removeLinks } from './link-store.ts'
export { moveLinks } from './move-links.ts'
export { returnPeople } from './restore.ts'
export { type PersonPatch, personProperties } from './schema.ts'
export {
  lockPeople,
  lockPeopleWithCompanies,
  mainCompanyName,
  personFields,
  personSearch,
  readPerson,
  type StoredPerson,
} from './store.ts'
export { type LinkPatch, personActivity, writeChanges } from './write-changes.ts'
