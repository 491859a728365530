import type { Action } from '#src/features/activity/index.ts'
import { orTrashed, unknownCompanies } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { Conflict, InvalidInput, NotFound, orNotFound } from '#src/platform/errors.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { type Link, MAX_COMPANIES_OF_PERSON, type NewLink } from './link-schema.ts'
import { type Links, readLink } from './link-store.ts'
import type { NewPerson } from './schema.ts'
import { keepCompanies, lockPeople } from './store.ts'
import { type LinkPatch, writeChanges } from './write-changes.ts'

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
  { id, person_id }: LinkPath,
  body: NewLink,
): Promise<{ written: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const link = newLink(body)
    const existing = await keepCompanies(transaction, [id])
    await orTrashed(transaction, existing.has(id) || undefined, 'company', id)
    const before = await orTrashed(
      transaction,
      (await lockPeople(transaction, [person_id]))[0],
      'person',
      person_id,
    )
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
export const unlinkPerson = (db: Db, action: Action, { id, person_id }: LinkPath): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const existing = await keepCompanies(transaction, [id])
    await orTrashed(transaction, existing.has(id) || undefined, 'company', id)
    const before = await orTrashed(
      transaction,
      (await lockPeople(transaction, [person_id]))[0],
      'person',
      person_id,
    )
    if (!before.companies[id])
      throw new NotFound(`The person ${person_id} is not linked to the company ${id}.`)
    await writeChanges(transaction, action, [{ before, links: { [id]: null } }])
  })

/** The primary links to other companies, which no longer are. */
export const endPrimary = (companies: Links, company_id: string): LinkPatch =>
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
): Promise<{ links: Links; country: string | null }> {
  const links: Links = {}
  for (const [index, { company_id, ...link }] of companies.entries()) {
    if (links[company_id])
      throw new InvalidInput(`companies[${index}].company_id must not be listed twice: ${company_id}.`)
    links[company_id] = newLink(link, `companies[${index}].`)
  }
  const primary = Object.keys(links).filter((id) => links[id]?.is_primary)
  if (primary.length > 1)
    throw new InvalidInput(
      'companies must have at most one with is_primary: a person has one primary company.',
    )
  const existing = await keepCompanies(transaction, Object.keys(links))
  const missing = Object.keys(links).filter((id) => !existing.has(id))
  if (missing.length > 0)
    throw await unknownCompanies(transaction, 'companies[].company_id must be the id of a company', missing)
  return { links, country: existing.get(primary[0] ?? '') ?? null }
}
