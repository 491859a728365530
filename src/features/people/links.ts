import type { Action } from '#src/features/activity/index.ts'
import { orTrashed, unknownCompanies } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { Conflict, InvalidInput, NotFound, orNotFound } from '#src/platform/errors.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { type Link, MAX_COMPANIES_OF_PERSON, type NewLink } from './link-schema.ts'
import { type CompanyLinks, readLink } from './link-store.ts'
import type { NewPerson } from './schema.ts'
import { keepCompanies, lockPeople, type StoredPerson } from './store.ts'
import { type CompanyLinkPatch, writeChanges } from './write-changes.ts'

/** A company and a person in the path. */
export interface LinkPath {
  id: string
  person_id: string
}

/**
 * Links a person to a company, or replaces the link. Another company is no longer the primary one if this one is.
 * @returns the link, and whether anything has changed
 * @throws NotFound, Moved if the company is part of another one, InvalidInput if `until` is before `from`, Conflict if the
 *   person has too many companies
 */
export const linkPerson = (
  db: Db,
  action: Action,
  path: LinkPath,
  body: NewLink,
): Promise<{ written: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const link = newLink(body)
    const { id, person_id } = path
    const before = await lockEnds(transaction, path)
    const { companies } = before
    if (!companies[id] && Object.keys(companies).length >= MAX_COMPANIES_OF_PERSON)
      throw new Conflict(`A person may be linked to at most ${MAX_COMPANIES_OF_PERSON} companies.`)
    const links = { ...(link.is_primary && endPrimary(companies, id)), [id]: link }
    const changed = await writeChanges(transaction, action, [{ before, links }])
    const written = orNotFound(await readLink(transaction, id, person_id), 'person', person_id)
    return { written, isChanged: changed.length > 0 }
  })

/**
 * Removes the link of a person to a company.
 * @throws NotFound, also if there is no link, Moved if the company is part of another one
 */
export const unlinkPerson = (db: Db, action: Action, path: LinkPath): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { id, person_id } = path
    const before = await lockEnds(transaction, path)
    if (!before.companies[id])
      throw new NotFound(`The person ${person_id} is not linked to the company ${id}.`)
    await writeChanges(transaction, action, [{ before, links: { [id]: null } }])
  })

/** Locks the person, and keeps the company. @throws NotFound, Moved if the company is part of another one */
async function lockEnds(transaction: Db, { id, person_id }: LinkPath): Promise<StoredPerson> {
  const existing = await keepCompanies(transaction, [id])
  await orTrashed(transaction, existing.has(id) || undefined, 'company', id)
  const [person] = await lockPeople(transaction, [person_id])
  return orTrashed(transaction, person, 'person', person_id)
}

/** The primary links to other companies, which no longer are. */
const endPrimary = (companies: CompanyLinks, company_id: string): CompanyLinkPatch =>
  Object.fromEntries(
    Object.entries(companies)
      .filter(([id, link]) => id !== company_id && link.is_primary)
      .map(([id, link]) => [id, { ...link, is_primary: false }]),
  )

/**
 * A link with all fields.
 * @param path where the body has it, such as `companies[0].`
 * @throws InvalidInput if `until` is before `from`
 */
function newLink({ role, from = null, until = null, is_primary = false }: NewLink, path = ''): Link {
  if (from && until && until < from)
    throw new InvalidInput(`${path}until must not be before from, which is ${from}, but is ${until}.`)
  return { role: role ? normalizeSpaces(role) : null, from, until, is_primary }
}

/**
 * The links of a new person, and the country of the primary company.
 * @throws InvalidInput for a company that does not exist or that is listed twice, for several primary ones, and if `until`
 *   is before `from`
 */
export async function newLinks(
  transaction: Db,
  companies: NonNullable<NewPerson['companies']>,
): Promise<{ links: CompanyLinks; country: string | null }> {
  const links = new Map<string, Link>()
  for (const [index, { company_id, ...link }] of companies.entries()) {
    if (links.has(company_id))
      throw new InvalidInput(`companies[${index}].company_id must not be listed twice: ${company_id}.`)
    links.set(company_id, newLink(link, `companies[${index}].`))
  }
  const ids = [...links.keys()]
  const primary = ids.filter((id) => links.get(id)?.is_primary)
  if (primary.length > 1)
    throw new InvalidInput(
      'companies must have at most one with is_primary: a person has one primary company.',
    )
  const existing = await keepCompanies(transaction, ids)
  const missing = ids.filter((id) => !existing.has(id))
  if (missing.length > 0)
    throw await unknownCompanies(transaction, 'companies[].company_id must be the id of a company', missing)
  return { links: Object.fromEntries(links), country: existing.get(primary[0] ?? '') ?? null }
}
