import type { Action } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { foldUserName } from '#src/features/users/index.ts'
import { newId } from '#src/platform/ids.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { insertPeople, newPerson, newPersonValues, type PeopleSources } from './create.ts'
import { MAX_ROLE_LENGTH } from './link-schema.ts'
import { readNamesOfPeople } from './link-store.ts'
import { MAX_PERSON_NAME_LENGTH } from './schema.ts'
import { lockExecutives } from './store.ts'

/** What became of the executives of a company. */
export interface PeopleOfExecutives {
  created: number
  existing: number
  skipped: number
}

/**
 * Creates people for the executives of a company, apart from those whose names people of the company have. The company is
 * locked, so that repeated requests create nobody twice.
 * @throws NotFound, Moved if the company is part of another one, InvalidInput if people must have a custom value
 */
export const createPeopleFromExecutives = (
  { db, customFields }: PeopleSources,
  action: Action,
  company_id: string,
): Promise<PeopleOfExecutives> =>
  db.transaction().execute(async (transaction) => {
    const company = await orTrashed(
      transaction,
      await lockExecutives(transaction, company_id),
      'company',
      company_id,
    )
    const known = new Set((await readNamesOfPeople(transaction, company_id)).map(foldUserName))
    const custom = await newPersonValues(transaction, customFields)
    const people = []
    const counts = { existing: 0, skipped: 0 }
    for (const executive of company.executives) {
      const { name, title } = readExecutive(executive)
      if (name === '' || name.length > MAX_PERSON_NAME_LENGTH) counts.skipped++
      else if (known.has(foldUserName(name))) counts.existing++
      else {
        known.add(foldUserName(name))
        const role = title.slice(0, MAX_ROLE_LENGTH).toWellFormed() || null
        const companies = { [company_id]: { role, from: null, until: null, is_primary: true } }
        people.push(newPerson(newId('per'), { name, custom, companies }))
      }
    }
    await insertPeople(transaction, action, people)
    return { created: people.length, ...counts }
  })

/** The name and the title of an executive, which may be a text or an object of any form; empty if missing. */
function readExecutive(executive: unknown): { name: string; title: string } {
  const { name, title } =
    typeof executive === 'object' && executive !== null
      ? (executive as Record<string, unknown>)
      : { name: executive, title: undefined }
  return { name: asText(name), title: asText(title) }
}

const asText = (value: unknown): string => (typeof value === 'string' ? normalizeSpaces(value) : '')
