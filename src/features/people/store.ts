import { type RawBuilder, sql } from 'kysely'
import { type ContactColumns, contactColumns } from '#src/features/contacts/index.ts'
import { type NextStepColumn, nextStepColumn } from '#src/features/next-steps/index.ts'
import { lockedRows } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import {
  all,
  type Json,
  type JsonPage,
  jsonArray,
  precompile,
  readPage,
  readRecord,
  utc,
} from '#src/platform/database/sql.ts'
import { type FilterCaller, filterConditions, sortOrder } from '#src/platform/filter/query.ts'
import { idsOf } from '#src/platform/ids.ts'
import { searchTerms } from '#src/platform/schema/search-terms.ts'
import { type PageRequest, pageOf } from '#src/platform/schema/shapes.ts'
import { phoneDigits } from './contact-details.ts'
import { isOfCompany, readPersonFields } from './fields.ts'
import { type CompanyLinks, isPast, linkFields, linkObject, readCompanyLinks } from './link-store.ts'
import type { Person, PersonFilters, PersonQuery } from './schema.ts'

const companiesOfPerson = (fields: RawBuilder<unknown>) => sql`
  select ${fields} from company_people join companies on companies.id = company_id where person_id = people.id
    order by is_primary desc, ${isPast}, from_on desc nulls last, companies.name, company_id`

/** The name of the first company that a person is linked to; null if there is none. */
export const mainCompanyName = sql`(${companiesOfPerson(sql`companies.name`)} limit 1)`

/** A person's fields as the API shows them. */
export const personFields =
  precompile(sql`people.id, people.name, emails, phones, links, headline, location, tags,
  owner_email, custom, coalesce((select json_agg(link) from (
    ${companiesOfPerson(sql`company_id, companies.name, ${linkFields}`)}) link), '[]') as companies,
  ${contactColumns('person')}, ${nextStepColumn('person')}, ${utc('created_at')}, ${utc('updated_at')}`)

/** @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function listPeople(
  db: Db,
  caller: FilterCaller,
  { sort, limit, offset, ...filters }: PersonQuery,
): Promise<JsonPage> {
  const where = await personConditions(db, caller, filters)
  const order = sortOrder(sort, await readPersonFields(db))
  return readPage(db, { table: 'people', fields: personFields, where, order }, pageOf({ limit, offset }))
}

/** The conditions of a list and of an export. @throws InvalidInput for a filter that is wrong */
export async function personConditions(
  db: Db,
  caller: FilterCaller,
  { search, company_id, owner_email, tags, filter }: PersonFilters,
): Promise<RawBuilder<unknown>[]> {
  const where = await filterConditions(filter, await readPersonFields(db), caller)
  if (search) where.push(...personSearch(search))
  if (company_id) where.push(isOfCompany([company_id].flat()))
  if (owner_email) where.push(sql`owner_email = any(${[owner_email].flat()})`)
  if (tags) where.push(sql`tags && ${[tags].flat()}::text[]`)
  return where
}

/** Shorter words are in most names of companies. */
const MIN_COMPANY_WORD_LENGTH = 3

/**
 * The conditions of a search, one for each word: the name, the headline, an email address, or the name of a company
 * contains it. A search that is a phone number also finds those who have it.
 */
export function personSearch(search: string): RawBuilder<unknown>[] {
  const terms = searchTerms(search).map(({ text, spelledOut = text }) => [...new Set([text, spelledOut])])
  const digits = phoneDigits(search)
  if (digits !== undefined) {
    const words = all(terms.map((spellings) => contains(sql`search_text`, spellings)))
    const hasPhone = contains(sql`phone_text(phones) collate "C"`, [digits])
    return [isOneOfBoth(words, sql`select id from people where ${hasPhone}`)]
  }
  return terms.map((spellings) => {
    const isNamed = contains(sql`search_text`, spellings)
    if (spellings.some((text) => text.length < MIN_COMPANY_WORD_LENGTH)) return isNamed
    return isOneOfBoth(
      isNamed,
      sql`select person_id from company_people join companies on companies.id = company_id
        where ${contains(sql`companies.name_sort`, spellings)}`,
    )
  })
}

/** A union, since PostgreSQL would not use the indexes of both parts for an "or". */
const isOneOfBoth = (isNamed: RawBuilder<unknown>, others: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`people.id in (select id from people where ${isNamed} union all ${others})`

/** The condition that a text contains one of the spellings of a word. */
const contains = (text: RawBuilder<unknown>, spellings: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    spellings.map((spelling) => sql`${text} like (select contains_pattern(${spelling}))`),
    sql` or `,
  )})`

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

/** A person as stored. */
export interface StoredPerson
  extends Omit<Person, 'companies' | keyof ContactColumns | keyof NextStepColumn> {
  companies: CompanyLinks
}

/** The people that exist, locked until the transaction ends. */
export const lockPeople = (transaction: Db, ids: readonly string[]): Promise<StoredPerson[]> =>
  readPeople(transaction, ids, sql`for no key update`)

/** Deleted and merged people, locked until the transaction ends. Their links can be written. */
export const lockTrashedPeople = (transaction: Db, ids: readonly string[]): Promise<StoredPerson[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : readRows(transaction, sql`(${lockedRows('person', 'people', ids)}) people`)

/** The people that exist, oldest first. */
export async function readPeople(
  db: Db,
  ids: readonly string[],
  lock: RawBuilder<unknown> = sql``,
): Promise<StoredPerson[]> {
  return readRows(db, sql`people where id = any(${ids}) order by id ${lock}`)
}

async function readRows(db: Db, from: RawBuilder<unknown>): Promise<StoredPerson[]> {
  const { rows } = await sql<Omit<StoredPerson, 'companies'>>`
    select id, name, emails, phones, links, headline, location, tags, owner_email, custom, ${utc('created_at')},
      ${utc('updated_at')} from ${from}`.execute(db)
  const links = await readCompanyLinks(db, idsOf(rows))
  return rows.map((person) => ({ ...person, companies: links.get(person.id) ?? {} }))
}

/**
 * Locks people for a merge, so that nothing new refers to them, and keeps the companies that they are linked to. A merge of
 * companies locks the companies first, so this does too.
 */
export async function lockPeopleWithCompanies(
  transaction: Db,
  ids: readonly string[],
): Promise<StoredPerson[]> {
  const keep = (links: Iterable<CompanyLinks>) => keepCompanies(transaction, [...links].flatMap(Object.keys))
  await keep((await readCompanyLinks(transaction, ids)).values())
  const people = await readPeople(transaction, ids, sql`for update`)
  // Others may have added some in between.
  await keep(people.map(({ companies }) => companies))
  return people
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

/** Locks those of the companies that exist, oldest first, with their executives. */
export async function lockExecutives(
  transaction: Db,
  ids: readonly string[],
): Promise<{ id: string; executives: unknown[] }[]> {
  const { rows } = await sql<{ id: string; executives: unknown[] }>`
    select id, coalesce(executives, '[]') as executives from companies where id = any(${ids}) order by id
    for no key update`.execute(transaction)
  return rows
}

/** A statement has at most 65,535 parameters. */
const MAX_INSERTED = 1000

/** Stores new people without their links. */
export async function insertRows(transaction: Db, people: readonly StoredPerson[]): Promise<void> {
  for (let start = 0; start < people.length; start += MAX_INSERTED) {
    const rows = people
      .slice(start, start + MAX_INSERTED)
      .map(({ companies: _companies, custom, created_at, updated_at, ...person }) => ({
        ...person,
        custom: JSON.stringify(custom),
        created_at: new Date(created_at),
        updated_at: new Date(updated_at),
      }))
    await transaction.insertInto('people').values(rows).execute()
  }
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

/** Sets only when people were last changed. */
export async function touchPeople(
  transaction: Db,
  people: readonly { id: string; updated_at: string }[],
): Promise<void> {
  if (people.length === 0) return
  await sql`
    update people set updated_at = touched.updated_at::timestamptz
    from ${rowsFrom('touched', { id: 'text', updated_at: 'text' }, people)} where people.id = touched.id`.execute(
    transaction,
  )
}
