import { type RawBuilder, sql } from 'kysely'
import { isMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import {
  type Json,
  type JsonPage,
  jsonArray,
  jsonObject,
  precompile,
  readPage,
  readRecord,
  utc,
} from '#src/platform/database/sql.ts'
import { type FilterCaller, filterConditions, sortOrder } from '#src/platform/filter/query.ts'
import { searchTerms } from '#src/platform/schema/search-terms.ts'
import { type PageRequest, pageOf } from '#src/platform/schema/shapes.ts'
import { isOfCompany, readPersonFields } from './fields.ts'
import type { Link } from './link-schema.ts'
import { MAX_SAME_PEOPLE, type Person, type PersonQuery } from './schema.ts'

/** Whether a link is over, by the days of UTC. */
const isPast = sql`coalesce(until_on < (now() at time zone 'UTC')::date, false)`

const linkFields = sql`role, from_on::text as "from", until_on::text as until, is_primary`

const linkObject = sql`
  json_build_object('role', role, 'from', from_on::text, 'until', until_on::text, 'is_primary', is_primary)`

const companiesOfPerson = sql`coalesce((
  select json_agg(link) from (
    select company_id, companies.name, ${linkFields} from company_people
    join companies on companies.id = company_id where person_id = people.id
    order by is_primary desc, ${isPast}, from_on desc nulls last, companies.name, company_id) link), '[]')`

/** A person's fields as the API shows them. */
const personFields = precompile(sql`people.id, people.name, emails, phones, links, headline, location, tags,
  owner_email, custom, ${companiesOfPerson} as companies, ${utc('created_at')}, ${utc('updated_at')}`)

/** @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function listPeople(
  db: Db,
  caller: FilterCaller,
  { search, company_id, owner_email, tags, filter, sort, ...page }: PersonQuery,
): Promise<JsonPage> {
  const fields = await readPersonFields(db)
  const where = await filterConditions(filter, fields, caller)
  if (search) where.push(...searchConditions(search))
  if (company_id) where.push(isOfCompany([company_id].flat()))
  if (owner_email) where.push(sql`owner_email = any(${[owner_email].flat()})`)
  if (tags) where.push(sql`tags && ${[tags].flat()}::text[]`)
  const order = sortOrder(sort, fields)
  return readPage(db, { table: 'people', fields: personFields, where, order }, pageOf(page))
}

/** A condition for each word: the name, the headline, or an email address contains it. */
const searchConditions = (search: string): RawBuilder<unknown>[] =>
  searchTerms(search).map(({ text, spelledOut = text }) => {
    const patterns = [...new Set([text, spelledOut])].map(
      (spelling) => sql`search_text like (select contains_pattern(${spelling}))`,
    )
    return sql`(${sql.join(patterns, sql` or `)})`
  })

export const readPerson = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table: 'people', fields: personFields, id })

/** A page of the people of a company: primary ones first, then present ones, then past ones. */
export async function listCompanyPeople(
  db: Db,
  company_id: string,
  { limit, offset }: PageRequest,
): Promise<JsonPage> {
  const from = sql`from company_people join people on people.id = person_id where company_id = ${company_id}`
  const page = sql`select ${personFields}, ${linkObject} as link ${from}
    order by is_primary desc, ${isPast}, name_sort, people.id limit ${limit} offset ${offset}`
  const { rows } = await sql<JsonPage>`
    select (${jsonArray(page)}) as records, (select count(*)::float8 ${from}) as total`.execute(db)
  return rows[0] as JsonPage
}

/** The link of a person to a company; undefined if there is none. */
export async function readLink(db: Db, company_id: string, person_id: string): Promise<Json | undefined> {
  const { rows } = await sql<{ link: Json }>`select (${jsonObject(sql`
    select company_id, companies.name, ${linkFields} from company_people
    join companies on companies.id = company_id
    where company_id = ${company_id} and person_id = ${person_id}`)}) as link`.execute(db)
  return rows[0]?.link ?? undefined
}

/** Other people with one of the addresses, oldest first, as JSON. */
export async function readSamePeople(db: Db, id: string, emails: readonly string[]): Promise<Json> {
  const found = sql`
    select json_build_object('id', id, 'name', name, 'emails', emails, 'headline', headline) as person,
      json_build_array('same_email') as reasons
    from people where emails && ${emails}::text[] and id <> ${id} order by id limit ${MAX_SAME_PEOPLE}`
  const { rows } = await sql<{ found: Json }>`select (${jsonArray(found)}) as found`.execute(db)
  return rows[0]?.found ?? '[]'
}

/** The links of a person by company, also those to companies in the trash. */
export type Links = Record<string, Link>

/** A person as stored. */
export interface StoredPerson extends Omit<Person, 'companies'> {
  companies: Links
}

/** The people that exist, locked until the transaction ends. */
export async function lockPeople(transaction: Db, ids: readonly string[]): Promise<StoredPerson[]> {
  const { rows } = await sql<Omit<StoredPerson, 'companies'>>`
    select id, name, emails, phones, links, headline, location, tags, owner_email, custom, ${utc('created_at')},
      ${utc('updated_at')} from people where id = any(${ids}) order by id for no key update`.execute(
    transaction,
  )
  const { rows: links } = await sql<Link & { person_id: string; company_id: string }>`
    select person_id, company_id, ${linkFields} from company_people where person_id = any(${ids})
    order by person_id, company_id`.execute(transaction)
  const byPerson = Map.groupBy(links, ({ person_id }) => person_id)
  return rows.map((person) => ({
    ...person,
    companies: Object.fromEntries(
      (byPerson.get(person.id) ?? []).map(({ person_id: _id, company_id, ...link }) => [company_id, link]),
    ),
  }))
}

/** The ids of the people who are linked to one of the companies. */
export async function readLinkedPeople(db: Db, company_ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct people.id from company_people join people on people.id = person_id
    where company_id = any(${company_ids}) order by people.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The companies that exist of these, which stay until the transaction ends, with their country codes. */
export async function keepCompanies(
  transaction: Db,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; country_code: string | null }>`
    select id, country_code from companies where id = any(${ids}) order by id for key share`.execute(
    transaction,
  )
  return new Map(rows.map(({ id, country_code }) => [id, country_code]))
}

/** Locks a company with its executives; undefined if there is none. */
export async function lockExecutives(
  transaction: Db,
  id: string,
): Promise<{ executives: unknown[] } | undefined> {
  const { rows } = await sql<{ executives: unknown[] }>`
    select coalesce(executives, '[]') as executives from companies where id = ${id} for no key update`.execute(
    transaction,
  )
  return rows[0]
}

/** The names of the people of a company. */
export async function readNamesOfPeople(db: Db, company_id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from people join company_people on person_id = people.id where company_id = ${company_id}`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

export async function insertPerson(
  transaction: Db,
  { companies: _companies, ...person }: StoredPerson,
): Promise<void> {
  const { created_at, updated_at } = person
  await transaction
    .insertInto('people')
    .values({
      ...person,
      custom: JSON.stringify(person.custom),
      created_at: new Date(created_at),
      updated_at: new Date(updated_at),
    })
    .execute()
}

/** Overwrites fields of a person. */
export async function writePerson(
  transaction: Db,
  id: string,
  fields: Partial<Omit<StoredPerson, 'companies' | 'created_at'>>,
): Promise<void> {
  const { custom, updated_at, ...others } = fields
  await transaction
    .updateTable('people')
    .set({
      ...others,
      ...(custom && { custom: JSON.stringify(custom) }),
      ...(updated_at && { updated_at: new Date(updated_at) }),
    })
    .where('id', '=', id)
    .execute()
}

/** The new link of a person to a company; null: none. */
export interface LinkChange {
  person_id: string
  company_id: string
  link: Link | null
}

/** Replaces links, or removes them. */
export async function writeLinks(transaction: Db, changes: readonly LinkChange[]): Promise<void> {
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

/** The links of people to companies that are part of another one, with that one. */
export async function readLinksToMerged(
  db: Db,
  person_ids: readonly string[],
): Promise<{ company_id: string; survivor: string }[]> {
  const { rows } = await sql<{ company_id: string; survivor: string }>`
    select distinct link.company_id, trash.company_id as survivor
    from company_people link join trash on trash.id = link.company_id and ${isMerged}
    where link.person_id = any(${person_ids}) order by link.company_id`.execute(db)
  return rows
}

/** Removes the links of purged companies and people. */
export async function removeLinks(transaction: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from company_people where person_id = any(${ids}) or company_id = any(${ids})`.execute(
    transaction,
  )
}
