import { sql } from 'kysely'
import { readPast, recordAt, requirePast } from '#src/features/activity/index.ts'
import { readContactsAt } from '#src/features/contacts/index.ts'
import { withCustomValues } from '#src/features/fields/index.ts'
import { isMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { NotFound } from '#src/platform/errors.ts'
import type { Link } from './link-schema.ts'
import { readCompanyLinks } from './link-store.ts'
import type { Person } from './schema.ts'
import { readPerson } from './store.ts'
import { linkedCompany, withLinkNames } from './write-changes.ts'

/**
 * A person with the companies as they were at a time; undefined if they do not exist now. Companies that are in the trash
 * now are left out.
 * @throws InvalidInput for a time in the future, NotFound if the person did not exist then, or was in the trash or merged
 */
export async function readPersonAt(db: Db, id: string, time: string): Promise<Json | undefined> {
  requirePast(time)
  const json = await readPerson(db, id)
  if (json === undefined) return undefined
  const present: Person = JSON.parse(json)
  const companies = (await readCompanyLinks(db, [id])).get(id) ?? {}
  const past = await readPast(db, [id], time)
  const previous = recordAt({ ...present, ...withLinkNames({ ...present, companies }) }, past.get(id), time)
  if (!previous)
    throw new NotFound(
      Date.parse(present.created_at) > Date.parse(time)
        ? `The person ${id} did not exist at ${time}: they were created at ${present.created_at}.`
        : `At ${time}, the person ${id} was in the trash or merged into another person. They have since been restored.`,
    )
  const entries = Object.entries(withCustomValues(previous, present.custom))
  const links = entries.flatMap(([field, value]) => {
    const company_id = linkedCompany(field)
    return company_id === undefined || value === null ? [] : [{ company_id, ...(value as Link) }]
  })
  const fields = Object.fromEntries(entries.filter(([field]) => linkedCompany(field) === undefined))
  const contacts = await readContactsAt(db, 'person', id, time)
  return JSON.stringify({
    ...fields,
    ...contacts,
    next_step: null,
    companies: await shownCompanies(db, links, time),
  })
}

type PreviousLink = Link & { company_id: string }

/** The links in the order of a person's companies, with the present names of these. */
async function shownCompanies(
  db: Db,
  links: readonly PreviousLink[],
  time: string,
): Promise<Person['companies']> {
  const ids = links.map(({ company_id }) => company_id)
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from companies where id = any(${ids})
    union all select id, name from trash where id = any(${ids}) and ${isMerged}`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const today = new Date(time).toISOString().slice(0, 10)
  const rank = ({ is_primary, until }: PreviousLink) => (is_primary ? 0 : until && until < today ? 2 : 1)
  return links
    .flatMap(({ company_id, ...link }) => {
      const name = names.get(company_id)
      return name === undefined ? [] : [{ company_id, name, ...link }]
    })
    .sort(
      (a, b) => rank(a) - rank(b) || (b.from ?? '').localeCompare(a.from ?? '') || (a.name < b.name ? -1 : 1),
    )
}
