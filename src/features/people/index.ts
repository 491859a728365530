export { parsePhone } from './contact-details.ts'
export { insertPeople, newPerson } from './create.ts'
export { personFieldKind, readPersonFields } from './fields.ts'
export { personKind } from './kind.ts'
export { CompanyLink, type Link, MAX_COMPANIES_OF_PERSON, MAX_ROLE_LENGTH } from './link-schema.ts'
export { readLinks, removeLinks } from './link-store.ts'
export { moveLinks } from './move-links.ts'
export { restorePeople } from './restore.ts'
export { MAX_CONTACT_DETAILS, MAX_PERSON_NAME_LENGTH, NewPerson, type PersonPatch } from './schema.ts'
export {
  keepCompanies,
  lockPeople,
  mainCompanyName,
  personFields,
  personSearch,
  readPeople,
  type StoredPerson,
} from './store.ts'
export { type LinkPatch, writeChanges } from './write-changes.ts'
