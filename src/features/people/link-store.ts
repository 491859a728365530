import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { type Json, jsonObject } from '#src/platform/database/sql.ts'
import type { Link } from './link-schema.ts'

/** Whether a link is over, by the days of UTC. */
export const isPast = sql`coalesce(until_on < (now() at time zone 'UTC')::date, false)`

/** A link's fields as the API shows them. */
export const linkFields = sql`role, from_on::text as "from", until_on::text as until, is_primary`

/** The same as one JSON object. */
export const linkObject = sql`
  json_build_object('role', role, 'from', from_on::text, 'until', until_on::text, 'is_primary', is_primary)`

/** The links of a person by company, also those to companies in the trash. */
export type CompanyLinks = Record<string, Link>

/** The links of each person, by the id of the person. People without links are missing. */
export async function readCompanyLinks(
  db: Db,
  person_ids: readonly string[],
): Promise<Map<string, CompanyLinks>> {
  const { rows } = await sql<Link & { person_id: string; company_id: string }>`
    select person_id, company_id, ${linkFields} from company_people where person_id = any(${person_ids})
    order by person_id, company_id`.execute(db)
  const byPerson = new Map<string, CompanyLinks>()
  for (const { person_id, company_id, ...link } of rows)
    byPerson.set(person_id, { ...byPerson.get(person_id), [company_id]: link })
  return byPerson
}

/** The link of a person to a company; undefined if there is none. */
export async function readLink(db: Db, company_id: string, person_id: string): Promise<Json | undefined> {
  const { rows } = await sql<{ link: Json }>`select (${jsonObject(sql`
    select company_id, companies.name, ${linkFields} from company_people
    join companies on companies.id = company_id
    where company_id = ${company_id} and person_id = ${person_id}`)}) as link`.execute(db)
  return rows[0]?.link ?? undefined
}

/** The country code of a person's primary company; null: not known. */
export async function readPrimaryCountry(db: Db, person_id: string): Promise<string | null> {
  const { rows } = await sql<{ country_code: string | null }>`
    select country_code from companies join company_people on company_id = companies.id
    where person_id = ${person_id} and is_primary`.execute(db)
  return rows[0]?.country_code ?? null
}

/** The ids of the people who are linked to one of the companies, also of those in the trash. */
export async function readLinkedPeople(db: Db, company_ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct person_id as id from company_people where company_id = any(${company_ids}) order by person_id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The names of the people of each company. Companies without people are missing. */
export async function readNamesOfPeople(
  db: Db,
  company_ids: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ company_id: string; names: string[] }>`
    select company_id, array_agg(name) as names from people join company_people on person_id = people.id
    where company_id = any(${company_ids}) group by company_id`.execute(db)
  return new Map(rows.map(({ company_id, names }) => [company_id, names]))
}

/** The new link of a person to a company; null: none. */
export interface CompanyLinkChange {
  person_id: string
  company_id: string
  link: Link | null
}

/** Replaces links, or removes them. */
export async function writeCompanyLinks(
  transaction: Db,
  changes: readonly CompanyLinkChange[],
): Promise<void> {
  if (changes.length === 0) return
  const keys = changes.map(({ person_id, company_id }) => ({ person_id, company_id }))
  await sql`
    delete from company_people using ${rowsFrom('changed', { person_id: 'text', company_id: 'text' }, keys)}
    where company_people.person_id = changed.person_id and company_people.company_id = changed.company_id`.execute(
    transaction,
  )
  const rows = changes.flatMap(({ link, ...key }) => (link ? [{ ...key, ...link }] : []))
  const columns = {
    person_id: 'text',
    company_id: 'text',
    role: 'text',
    from: 'text',
    until: 'text',
    is_primary: 'boolean',
  } as const
  await sql`
    insert into company_people (person_id, company_id, role, from_on, until_on, is_primary)
    select person_id, company_id, role, "from"::date, until::date, is_primary
    from ${rowsFrom('link', columns, rows)}`.execute(transaction)
}

/** Removes the links of purged companies and people. */
export async function removeCompanyLinks(transaction: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from company_people where person_id = any(${ids}) or company_id = any(${ids})`.execute(
    transaction,
  )
}
