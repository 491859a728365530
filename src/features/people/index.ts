export { parsePhone } from './contact-details.ts'
export { insertPeople, newPerson } from './create.ts'
export { personFieldKind, readPersonFields } from './fields.ts'
export { personKind } from './kind.ts'
export { CompanyLink, type Link, MAX_COMPANIES_OF_PERSON, MAX_ROLE_LENGTH } from './link-schema.ts'
export { readCompanyLinks, removeCompanyLinks } from './link-store.ts'
export { moveCompanyLinks } from './move-links.ts'
export { restorePeople, returnPeople } from './restore.ts'
export {
  MAX_CONTACT_DETAILS,
  MAX_PERSON_NAME_LENGTH,
  NewPerson,
  type Person,
  type PersonPatch,
  personProperties,
} from './schema.ts'
export {
  keepCompanies,
  lockPeople,
  lockPeopleWithCompanies,
  mainCompanyName,
  personFields,
  personSearch,
  readPeople,
  readPerson,
  type StoredPerson,
} from './store.ts'
export { type CompanyLinkPatch, personActivity, writeChanges } from './write-changes.ts'
