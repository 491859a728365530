import { type Action, type AtomicChangeDb, changeAtomically } from '#src/features/activity/index.ts'
import { MAX_CHANGED_COMPANIES, readTargetIds, targetOf } from '#src/features/companies/index.ts'
import { orTrashed, unknownCompanies } from '#src/features/trash/index.ts'
import { foldUserName } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { limitLockTime } from '#src/platform/database/short-transaction.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { newId } from '#src/platform/ids.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import type { ExecutivesOfCompanies, PeopleOfCompanies, PeopleOfExecutives } from './company-schema.ts'
import { insertPeople, newPerson, newPersonValues, type PeopleSources } from './create.ts'
import { MAX_ROLE_LENGTH } from './link-schema.ts'
import { readNamesOfPeople } from './link-store.ts'
import { MAX_PERSON_NAME_LENGTH } from './schema.ts'
import { keepCompanies, lockExecutives, type StoredPerson } from './store.ts'

/** Executives of this many companies are read at a time. */
const MAX_READ_COMPANIES = 200

/**
 * Creates people for the executives of a company, apart from those whose names people of the company have. The company is
 * locked, so that repeated requests create nobody twice.
 * @throws NotFound, Moved if the company is part of another one, InvalidInput if people must have a custom value
 */
export const createPeopleFromExecutives = (
  sources: PeopleSources,
  action: Action,
  company_id: string,
): Promise<PeopleOfExecutives> =>
  sources.db.transaction().execute(async (transaction) => {
    const { companies, ...counts } = await createOf(transaction, sources, action, [company_id])
    await orTrashed(transaction, companies[0], 'company', company_id)
    return counts
  })

/**
 * Creates people for the executives of many companies, atomically.
 * @param requirePermission throws if the caller may not select or create this many records
 * @throws InvalidInput for companies that do not exist, for a wrong selection, and if people must have a custom value;
 *   Conflict if there are not as many companies as expected
 */
export async function createPeopleOfCompanies(
  { caller, ...sources }: PeopleSources & AtomicChangeDb & { caller: FilterCaller },
  action: Action,
  { ids, filter, search, expect }: ExecutivesOfCompanies,
  requirePermission: (records: number) => void,
): Promise<PeopleOfCompanies> {
  const target = await targetOf(sources.db, caller, { ids, filter, search }, 'ids')
  const totals = { companies: 0, created: 0, existing: 0, skipped: 0 }
  await changeAtomically(sources, action, {
    most: MAX_CHANGED_COMPANIES,
    async find(transaction, rest) {
      await limitLockTime(transaction)
      if (rest) return rest
      const found = await readTargetIds(transaction, target, expect, MAX_CHANGED_COMPANIES)
      requirePermission(found.length)
      const existing = await keepCompanies(transaction, found)
      const missing = 'ids' in target ? found.filter((id) => !existing.has(id)) : []
      if (missing.length > 0)
        throw await unknownCompanies(transaction, 'ids must be ids of companies', missing)
      return found
    },
    async write(transaction, batch) {
      const before = totals.created
      for (let start = 0; start < batch.length; start += MAX_READ_COMPANIES) {
        const part = batch.slice(start, start + MAX_READ_COMPANIES)
        const { companies, ...counts } = await createOf(transaction, sources, action, part)
        totals.companies += companies.length
        totals.created += counts.created
        totals.existing += counts.existing
        totals.skipped += counts.skipped
        requirePermission(totals.created)
      }
      return totals.created - before
    },
  })
  return { action_id: totals.created > 0 ? action.id : null, ...totals }
}

/** Creates people for the executives of those of the companies that exist. */
async function createOf(
  transaction: Db,
  { customFields }: PeopleSources,
  action: Action,
  ids: string[],
): Promise<PeopleOfExecutives & { companies: string[] }> {
  const companies = await lockExecutives(transaction, ids)
  const names = await readNamesOfPeople(transaction, ids)
  const custom = await newPersonValues(transaction, customFields)
  const people: StoredPerson[] = []
  const counts = { existing: 0, skipped: 0 }
  for (const { id, executives } of companies) {
    const known = new Set(names.get(id)?.map(foldUserName))
    for (const executive of executives) {
      const { name, title } = readExecutive(executive)
      if (name === '' || name.length > MAX_PERSON_NAME_LENGTH) counts.skipped++
      else if (known.has(foldUserName(name))) counts.existing++
      else {
        known.add(foldUserName(name))
        const role = title.slice(0, MAX_ROLE_LENGTH).toWellFormed() || null
        const link = { role, from: null, until: null, is_primary: true }
        people.push(newPerson(newId('per'), { name, custom, companies: { [id]: link } }))
      }
    }
  }
  await insertPeople(transaction, action, people)
  return { companies: companies.map(({ id }) => id), created: people.length, ...counts }
}

/** The name and the title of an executive, which may be a text or an object of any form; empty if missing. */
function readExecutive(executive: unknown): { name: string; title: string } {
  const { name, title } =
    typeof executive === 'object' && executive !== null
      ? (executive as Record<string, unknown>)
      : { name: executive, title: undefined }
  return { name: asText(name), title: asText(title) }
}

const asText = (value: unknown): string => (typeof value === 'string' ? normalizeSpaces(value) : '')
