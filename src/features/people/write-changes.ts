import {
  type Action,
  type Changes,
  changesOf,
  type NewActivity,
  recordAction,
} from '#src/features/activity/index.ts'
import { patchedNames, withCustomNames } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import type { Link } from './link-schema.ts'
import { type CompanyLinkChange, writeCompanyLinks } from './link-store.ts'
import type { PersonPatch } from './schema.ts'
import { type StoredPerson, touchPeople, writePerson } from './store.ts'

/** The ledger calls the link to a company `companies.<id>`. */
const LINK_PREFIX = 'companies.'

/** New links by the id of the company; null removes one. */
export type CompanyLinkPatch = Record<string, Link | null>

/** What changes of a person, who is locked by the transaction. `custom`, if present, has all custom values. */
export interface PersonChange {
  before: StoredPerson
  fields?: PersonPatch
  links?: CompanyLinkPatch
}

/** A person with each link as a field. */
export const withLinkNames = <P extends { companies: CompanyLinkPatch }>({
  companies,
  ...fields
}: P): Omit<P, 'companies'> => ({
  ...fields,
  ...Object.fromEntries(Object.entries(companies).map(([id, link]) => [LINK_PREFIX + id, link])),
})

/** The company of a link, by its name in the ledger; undefined: the name is that of another field. */
export const linkedCompany = (field: string): string | undefined =>
  field.startsWith(LINK_PREFIX) ? field.slice(LINK_PREFIX.length) : undefined

/**
 * Writes changes of people and records them. People with no difference are left out.
 * @returns the ids of those who have changed
 */
export async function writeChanges(
  transaction: Db,
  action: Action,
  changes: readonly PersonChange[],
): Promise<string[]> {
  const activities: NewActivity[] = []
  const links: CompanyLinkChange[] = []
  const changed: string[] = []
  /** Merges and their undo change the links of many people. */
  const touched: { id: string; updated_at: string }[] = []
  for (const { before, fields = {}, links: newLinks = {} } of changes) {
    const ofFields = changesOf(withCustomNames(before), withCustomNames(fields), patchedNames(before, fields))
    const ofLinks = changesOf(before.companies, newLinks, Object.keys(newLinks))
    if (Object.keys(ofFields).length + Object.keys(ofLinks).length === 0) continue
    const updated_at = timeAfter(before.updated_at)
    if (Object.keys(ofFields).length > 0) await writePerson(transaction, before.id, { ...fields, updated_at })
    else touched.push({ id: before.id, updated_at })
    for (const company_id of Object.keys(ofLinks))
      links.push({ person_id: before.id, company_id, link: newLinks[company_id] ?? null })
    activities.push(...activitiesOf(before.id, ofFields, ofLinks, updated_at))
    changed.push(before.id)
  }
  await touchPeople(transaction, touched)
  await writeCompanyLinks(transaction, links)
  await recordAction(transaction, action, activities)
  return changed
}

/** The records of a person's change: one for the fields, and one for each company. */
function activitiesOf(id: string, fields: Changes, links: Changes, timestamp: string): NewActivity[] {
  const names = Object.keys(fields)
  const ofLinks = Object.entries(links).map(([company_id, change]) =>
    linkActivity(id, company_id, change, timestamp),
  )
  if (names.length === 0) return ofLinks
  const person = { entity_type: 'person', entity_id: id, timestamp } as const
  return [
    { ...person, activity_type: 'person_updated', metadata: { fields: names }, changes: fields },
    ...ofLinks,
  ]
}

/** The record of a link's change. It names the person and the company. */
export const linkActivity = (
  person_id: string,
  company_id: string,
  change: { from: unknown; to: unknown },
  timestamp: string,
): NewActivity => ({
  activity_type: change.from ? (change.to ? 'person_link_updated' : 'person_unlinked') : 'person_linked',
  entity_type: 'person',
  entity_id: person_id,
  company_id,
  changes: { [LINK_PREFIX + company_id]: change },
  timestamp,
})

/** An activity record about a person as a whole. */
export const personActivity = (
  activity_type: `person_${'created' | 'deleted' | 'restored' | 'merged' | 'unmerged'}`,
  id: string,
  metadata: Record<string, unknown> = {},
) => ({ activity_type, entity_type: 'person', entity_id: id, metadata }) as const
