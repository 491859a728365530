import type { Action } from '#src/features/activity/index.ts'
import type { CustomFieldMap } from '#src/features/fields/index.ts'
import {
  insertPeople,
  keepCompanies,
  lockPeople,
  newPerson,
  restorePeople,
  type StoredPerson,
  writeChanges,
} from '#src/features/people/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { customValuesError } from '../batches.ts'
import type { OnExisting } from '../record-schema.ts'
import type { NewCompanies } from '../records/new-companies.ts'
import { requireNotUndone } from '../records/undone.ts'
import { cellError } from '../rows/field-cells.ts'
import type { LinkedRow } from './apply-row.ts'
import { readCandidates } from './candidates.ts'
import { PersonIndex } from './match.ts'
import { effectOf, type PlannedPerson, type RowEffect } from './plan-people.ts'

export interface PeopleWrite {
  action: Action
  importId: string
  onExisting: OnExisting
  companies: NewCompanies
  /** The people that existed when the file was planned. */
  known: ReadonlySet<string>
  /** The custom fields when the rows were read, and now. */
  fields: { previous: CustomFieldMap; current: CustomFieldMap }
}

/** What has been written. */
export interface WrittenPeople {
  effects: RowEffect[]
  rejected: { row: number; message: string }[]
  restored: number
}

const COMPANY_GONE = 'The company was deleted during the import. The row was not linked to it.'
const PERSON_GONE = 'The person was deleted during the import.'

/**
 * Writes planned people as they are by now: others may have changed since the file was planned.
 * @throws Conflict if the import has been undone
 */
export async function writePeople(
  transaction: Db,
  people: readonly PlannedPerson[],
  write: PeopleWrite,
): Promise<WrittenPeople> {
  const { action, fields } = write
  const written: WrittenPeople = { effects: [], rejected: [], restored: 0 }
  const rowsOf = await existingLinks(transaction, people, write)
  const trashed = people.filter(({ isRestored }) => isRestored).map(({ id }) => id)
  if (trashed.length > 0)
    written.restored = (await restorePeople(transaction, action, trashed)).restored.length
  const before = await readPresent(transaction, people, write)
  const after = new Map<string, StoredPerson>()
  const starts = new Map<string, StoredPerson | undefined>()
  for (const planned of people) {
    const start = before.get(planned)
    if (!start && planned.before) {
      for (const { row } of planned.effects)
        written.rejected.push({ row: row.person.row, message: PERSON_GONE })
      continue
    }
    const id = start?.id ?? planned.id
    if (!starts.has(id)) starts.set(id, start)
    let isNew = !start
    for (const row of rowsOf(planned)) {
      const error =
        fields.current === fields.previous || !row.person.custom
          ? undefined
          : customValuesError(fields.current, row.person.custom)
      if (error !== undefined) {
        written.rejected.push({ row: row.person.row, message: error })
        continue
      }
      const state =
        after.get(id) ?? start ?? newPerson(id, { name: row.person.name, custom: {}, companies: {} })
      const effect = effectOf(row, state, isNew, start ? write.onExisting : 'update')
      isNew = false
      after.set(id, effect.after)
      written.effects.push(effect)
    }
  }
  await store(transaction, action, starts, after)
  await requireNotUndone(transaction, action)
  return written
}

/** Creates the companies that the rows need, and drops links to those that are gone. */
async function existingLinks(
  transaction: Db,
  people: readonly PlannedPerson[],
  { action, importId, companies }: PeopleWrite,
): Promise<(planned: PlannedPerson) => LinkedRow[]> {
  const links = people.flatMap(({ effects }) => effects.flatMap(({ row }) => row.links))
  const ids = links.map(({ company }) => company.id)
  const present = await companies.create(transaction, action, importId, ids)
  const existing = await keepCompanies(transaction, [...new Set(present.values())])
  return ({ effects }) =>
    effects.map(({ row: { person, links: planned } }) => {
      const kept = planned.flatMap((link) => {
        const id = present.get(link.company.id) ?? link.company.id
        if (existing.has(id)) return [{ ...link, company: { ...link.company, id } }]
        person.errors.push(cellError('', 'company', link.company.name, COMPANY_GONE))
        return []
      })
      return { person, links: kept }
    })
}

/** The existing people of planned ones, locked: also those that were created since the file was planned. */
async function readPresent(
  transaction: Db,
  people: readonly PlannedPerson[],
  { known }: PeopleWrite,
): Promise<Map<PlannedPerson, StoredPerson>> {
  const created = people.filter(({ before }) => !before)
  const emails = created.flatMap(({ current }) => current.emails)
  const since = (
    await readCandidates(transaction, { ids: [], emails, profiles: [], companyIds: [], names: [] })
  ).filter(({ id }) => !known.has(id))
  const index = new PersonIndex<{ current: StoredPerson }>()
  for (const current of since) index.add({ current })
  const ids = new Map(people.flatMap((planned) => (planned.before ? [[planned, planned.id] as const] : [])))
  if (since.length > 0)
    for (const planned of created) {
      const { name, emails, links } = planned.current
      const found = index.find({ id: undefined, name, emails, links, companyIds: [] }).known
      if (found) ids.set(planned, found.current.id)
    }
  const locked = new Map(
    (await lockPeople(transaction, [...ids.values()])).map((person) => [person.id, person]),
  )
  return new Map(
    [...ids].flatMap(([planned, id]) => {
      const person = locked.get(id)
      return person ? [[planned, person] as const] : []
    }),
  )
}

async function store(
  transaction: Db,
  action: Action,
  starts: ReadonlyMap<string, StoredPerson | undefined>,
  after: ReadonlyMap<string, StoredPerson>,
): Promise<void> {
  const created = [...after].flatMap(([id, person]) => (starts.get(id) ? [] : [person]))
  const changes = [...after].flatMap(([id, person]) => {
    const before = starts.get(id)
    if (!before) return []
    const { id: _id, companies, created_at: _created, updated_at: _updated, ...fields } = person
    return [{ before, fields, links: companies }]
  })
  if (created.length > 0) await insertPeople(transaction, action, created)
  if (changes.length > 0) await writeChanges(transaction, action, changes)
}
