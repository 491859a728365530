import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { normalizeTags } from '#src/features/companies/index.ts'
import {
  type CompanyLinkPatch,
  lockPeopleWithCompanies,
  MAX_COMPANIES_OF_PERSON,
  type PersonPatch,
  personProperties,
  readPerson,
  type StoredPerson,
  writeChanges,
} from '#src/features/people/index.ts'
import { orTrashed, unknownRecords } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { conflictOf, type MergeRules, mergeFields } from './fields.ts'
import { joinPeople } from './person-records.ts'
import type { MergeBody, MergeConflict, MergedPeople, MovedOfPeople } from './schema.ts'
import { inMerge, othersIn } from './transaction.ts'

const PERSON_RULES: MergeRules = {
  one: 'person',
  several: 'people',
  properties: personProperties,
  companions: {},
  leavesOut: true,
}

/**
 * Merges people into one, or shows what that would do.
 * @param id the survivor
 * @returns JSON of `MergedPeople`
 * @throws NotFound if the survivor does not exist or is in the trash, Moved if they are part of another person, InvalidInput
 *   for people and fields that cannot be merged
 */
export async function mergePeople(
  db: Db,
  action: Action,
  id: string,
  { from, choose = {}, dry_run = false }: MergeBody,
): Promise<string> {
  const merged = othersIn(PERSON_RULES, id, from)
  return inMerge(db, dry_run, async (transaction) => {
    const people = await lockMerged(transaction, id, merged)
    const [before] = people as [StoredPerson]
    const { fields, conflicts } = mergeFields<PersonPatch>(PERSON_RULES, people, choose)
    const { links, added, conflicts: ofLinks } = mergeLinks(people)
    const changed = { ...fields, tags: normalizeTags(fields.tags ?? []) }
    await writeChanges(transaction, action, [{ before, fields: changed, links }])
    const activity = await countActivity(transaction, merged)
    const { notes, tasks, files } = await joinPeople(transaction, action, id, merged)
    const moved: MovedOfPeople = {
      ...{ companies: added, notes: notes.length, tasks: tasks.length },
      ...{ attached_files: files.length, activity },
    }
    const person = orNotFound(await readPerson(transaction, id), 'person', id)
    const parts: Omit<MergedPeople, 'person'> = {
      action_id: dry_run ? null : action.id,
      conflicts: [...conflicts, ...ofLinks],
      moved,
    }
    return `{"person":${person},${JSON.stringify(parts).slice(1)}`
  })
}

/** The people, the survivor first, locked until the transaction ends. */
async function lockMerged(transaction: Db, id: string, from: string[]): Promise<StoredPerson[]> {
  const people = await lockPeopleWithCompanies(transaction, [id, ...from])
  const byId = new Map(people.map((person) => [person.id, person]))
  const survivor = await orTrashed(transaction, byId.get(id), 'person', id)
  const missing = from.filter((other) => !byId.has(other))
  if (missing.length > 0)
    throw await unknownRecords(transaction, 'from must be ids of people', missing, 'POST /api/people')
  return [survivor, ...from.flatMap((other) => byId.get(other) ?? [])]
}

/**
 * The links to companies that the survivor gets. Of links to the same company, the first stays. The primary company is that
 * of the first person who has one.
 */
function mergeLinks(people: readonly StoredPerson[]): {
  links: CompanyLinkPatch
  added: number
  conflicts: MergeConflict[]
} {
  const [{ id: survivor, companies: own }] = people as [StoredPerson]
  const primary = people
    .flatMap(({ companies }) => Object.entries(companies))
    .find(([, { is_primary }]) => is_primary)?.[0]
  const all = [...new Set(people.flatMap(({ companies }) => Object.keys(companies)))]
  const kept = all.slice(0, MAX_COMPANIES_OF_PERSON)
  const conflicts: MergeConflict[] = []
  const links: CompanyLinkPatch = {}
  for (const company of kept) {
    const values = people.map(({ id, companies }) => ({ id, value: companies[company] ?? null }))
    const present = values.filter(({ value }) => value !== null)
    const [{ id, value }] = present as [{ id: string; value: NonNullable<CompanyLinkPatch[string]> }]
    links[company] = { ...value, is_primary: company === primary }
    if (present.some((other) => !isDeepStrictEqual(other.value, value)))
      conflicts.push(conflictOf(`companies.${company}`, values, id))
  }
  const left_out = all.slice(MAX_COMPANIES_OF_PERSON)
  if (left_out.length > 0) {
    const values = people.map(({ id, companies }) => ({ id, value: Object.keys(companies) }))
    conflicts.push({ ...conflictOf('companies', values, survivor), left_out })
  }
  return { links, added: kept.length - Object.keys(own).length, conflicts }
}

async function countActivity(transaction: Db, ids: string[]): Promise<number> {
  const { rows } = await sql<{ activity: number }>`
    select count(*)::int as activity from activity where entity_id = any(${ids})`.execute(transaction)
  return rows[0]?.activity ?? 0
}
