import { isDeepStrictEqual } from 'node:util'
import {
  findDeletedFields,
  findForbiddenValues,
  withCustomNames,
  withCustomValues,
} from '#src/features/fields/index.ts'
import type { Obstacle, PreviousValues, RecordKind } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { Link } from './link-schema.ts'
import { type CompanyLinks, readCompanyLinks, removeCompanyLinks } from './link-store.ts'
import { trashPeople } from './remove.ts'
import { restorePeople } from './restore.ts'
import { keepCompanies, lockPeople, lockTrashedPeople, type StoredPerson } from './store.ts'
import { type CompanyLinkPatch, linkedCompany, withLinkNames, writeChanges } from './write-changes.ts'

/** A person with the fields as the ledger names them. */
const withFieldNames = (person: StoredPerson): StoredPerson => ({
  ...person,
  ...withLinkNames(withCustomNames(person)),
})

/** How the trash and undo treat people. The ledger has each link to a company as a field. */
export const personKind: RecordKind<StoredPerson> = {
  entity_type: 'person',
  prefix: 'per',
  remove: async (transaction, action, records) => ({
    removed: await trashPeople(transaction, action, idsOf(records)),
    refused: [],
  }),
  restore: (transaction, action, records) => restorePeople(transaction, action, idsOf(records)),
  purge: removeCompanyLinks,
  keepReferences: async (transaction, changes) => {
    const companies = changes.flatMap((fields) =>
      Object.keys(fields).flatMap((field) => linkedCompany(field) ?? []),
    )
    if (companies.length > 0) await keepCompanies(transaction, companies)
  },
  lock: async (transaction, ids) => (await lockPeople(transaction, ids)).map(withFieldNames),
  links: {
    isLink: (field) => linkedCompany(field) !== undefined,
    lockTrashed: async (transaction, ids) => (await lockTrashedPeople(transaction, ids)).map(withFieldNames),
  },
  findDeletedFields: (transaction, fields) => findDeletedFields(transaction, 'person', fields),
  findObstacles: async (transaction, previous) => {
    const missing = await findMissingCompanies(transaction, previous)
    const isMissing = (id: string, field: string) =>
      missing.some((one) => one.id === id && one.field === field)
    const possible = new Map(
      [...previous].map(([id, values]) => [
        id,
        Object.fromEntries(Object.entries(values).filter(([field]) => !isMissing(id, field))),
      ]),
    )
    const forbidden = await findForbiddenValues(transaction, 'person', previous)
    return [...missing, ...forbidden, ...(await findTakenPrimaries(transaction, possible))]
  },
  write: async (transaction, action, changed) => {
    const changes = changed.map(({ before, values }) => {
      const fields = Object.entries(values).filter(([field]) => linkedCompany(field) === undefined)
      const patch = withCustomValues(Object.fromEntries(fields), before.custom)
      return { before, fields: patch, links: previousLinks(before.companies, values) }
    })
    await writeChanges(transaction, action, changes)
  },
}

/** The links among previous values. */
const linksIn = (values: Record<string, unknown>): CompanyLinkPatch =>
  Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => {
      const company = linkedCompany(field)
      return company === undefined ? [] : [[company, value as Link | null]]
    }),
  )

/** The links to put back. If another company has become the primary one since, it stays that. */
function previousLinks(present: CompanyLinks, values: Record<string, unknown>): CompanyLinkPatch {
  const links = linksIn(values)
  const after = Object.entries({ ...present, ...links })
  const isTaken = (company: string) => after.some(([id, link]) => id !== company && link?.is_primary)
  return Object.fromEntries(
    Object.entries(links).map(([id, link]) => [
      id,
      link && { ...link, is_primary: link.is_primary && !isTaken(id) },
    ]),
  )
}

/** The links to companies that are in the trash, merged or gone. The other companies stay until the transaction ends. */
async function findMissingCompanies(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const links = [...previous].flatMap(([id, values]) =>
    Object.entries(values).flatMap(([field, value]) => {
      const company = linkedCompany(field)
      return company === undefined || value === null ? [] : [{ id, field, company }]
    }),
  )
  if (links.length === 0) return []
  const existing = await keepCompanies(
    transaction,
    links.map(({ company }) => company),
  )
  return links
    .filter(({ company }) => !existing.has(company))
    .map(({ id, field }) => ({ id, field, reason: 'company_missing' }))
}

/** The links that would only become primary again, while another one is by now. */
async function findTakenPrimaries(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const obstacles: Obstacle[] = []
  const ids = [...previous.keys()]
  const present = await readCompanyLinks(transaction, ids)
  for (const id of ids) {
    const companies = present.get(id) ?? {}
    const values = previous.get(id) ?? {}
    const links = previousLinks(companies, values)
    for (const field of Object.keys(values)) {
      const company = linkedCompany(field)
      const present = company && companies[company]
      if (present && isDeepStrictEqual(present, links[company]))
        obstacles.push({ id, field, reason: 'changed_since' })
    }
  }
  return obstacles
}
