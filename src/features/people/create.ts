import { type Action, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { normalizeTags } from '#src/features/companies/index.ts'
import {
  type CustomFields,
  type CustomValues,
  missingField,
  newCustomValues,
} from '#src/features/fields/index.ts'
import { requireOwner } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { normalizeDetails, normalizePhones } from './contact-details.ts'
import { readSamePeople } from './duplicates.ts'
import { writeCompanyLinks } from './link-store.ts'
import { newLinks } from './links.ts'
import type { NewPerson } from './schema.ts'
import { insertRows, readPerson, type StoredPerson } from './store.ts'
import { linkActivity, personActivity } from './write-changes.ts'

/** What changes of people need. */
export interface PeopleSources {
  db: Db
  customFields: CustomFields
}

/**
 * Creates a person with links to companies, and records it.
 * @returns the person with others who may be the same
 * @throws InvalidInput for a company or an owner that does not exist, and for wrong phone numbers, links,
 *   and custom values
 */
export const createPerson = (
  { db, customFields }: PeopleSources,
  action: Action,
  { companies = [], ...fields }: NewPerson,
): Promise<Json> =>
  db.transaction().execute(async (transaction) => {
    const { links, country } = await newLinks(transaction, companies)
    await requireOwner(transaction, fields.owner_email)
    const person = newPerson(newId('per'), {
      ...fields,
      custom: await newPersonValues(transaction, customFields, fields.custom),
      phones: normalizePhones(fields.phones ?? [], country),
      companies: links,
    })
    await insertPeople(transaction, action, [person])
    const json = orNotFound(await readPerson(transaction, person.id), 'person', person.id)
    const same = await readSamePeople(transaction, person)
    return `${json.slice(0, -1)},"possible_duplicates":${same}}`
  })

/** The custom values of a new person. @throws InvalidInput that names the field */
export const newPersonValues = async (
  transaction: Db,
  customFields: CustomFields,
  input?: CustomValues,
): Promise<CustomValues> =>
  input || missingField(customFields.of('person'), {})
    ? newCustomValues(transaction, customFields, 'person', input)
    : {}

/** A new person with defaults. Phone numbers are normalized already. */
export function newPerson(
  id: string,
  {
    tags = [],
    ...fields
  }: Omit<NewPerson, 'companies' | 'custom'> & Pick<StoredPerson, 'companies' | 'custom'>,
): StoredPerson {
  const time = idTime(id).toISOString()
  return {
    id,
    emails: [],
    phones: [],
    links: [],
    headline: null,
    location: null,
    owner_email: null,
    ...normalizeDetails(fields),
    tags: normalizeTags(tags),
    created_at: time,
    updated_at: time,
  }
}

/** Stores new people with their links, and records them. */
export async function insertPeople(
  transaction: Db,
  action: Action,
  people: readonly StoredPerson[],
): Promise<void> {
  const activities: NewActivity[] = []
  await insertRows(transaction, people)
  for (const person of people) {
    activities.push(personActivity('person_created', person.id))
    for (const [company_id, link] of Object.entries(person.companies))
      activities.push(linkActivity(person.id, company_id, { from: null, to: link }, person.created_at))
  }
  const links = people.flatMap(({ id: person_id, companies }) =>
    Object.entries(companies).map(([company_id, link]) => ({ person_id, company_id, link })),
  )
  await writeCompanyLinks(transaction, links)
  await recordAction(transaction, action, activities)
}
