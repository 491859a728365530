import { sql } from 'kysely'
import { type Company, companyFields, readCompany } from '#src/features/companies/index.ts'
import { type Deal, dealFields } from '#src/features/deals/index.ts'
import { type Person, personFields } from '#src/features/people/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { readRecord } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'

export type Subject = 'company' | 'person' | 'deal'

/** What a brief is about, and the records around it. */
export interface Scope {
  subject: Subject
  id: string
  title: string
  /** The company, that of the deal, or the present companies of the person. */
  companies: Company[]
  /** The person, or the present people of the company. */
  people: (Person & { role: string | null })[]
  /** The deals of the companies, the subject first, then active ones, then the newest. */
  deals: Deal[]
}

/** A brief reads at most so many records of each kind around its subject. */
const MAX_RECORDS = 200

/** undefined: there is no such record, or it is in the trash. */
export function readScope(db: Db, subject: Subject, id: string): Promise<Scope | undefined> {
  if (subject === 'company') return readCompanyScope(db, id)
  return subject === 'deal' ? readDealScope(db, id) : readPersonScope(db, id)
}

async function readCompanyScope(db: Db, id: string): Promise<Scope | undefined> {
  const json = await readCompany(db, id)
  if (json === undefined) return undefined
  const company: Company = JSON.parse(json)
  const [people, deals] = [await readPeopleOf(db, id), await readDealsOf(db, [id])]
  return { subject: 'company', id, title: company.name, companies: [company], people, deals }
}

async function readDealScope(db: Db, id: string): Promise<Scope | undefined> {
  const json = await readRecord(db, { table: 'dealflow', fields: dealFields, id })
  if (json === undefined) return undefined
  const deal: Deal = JSON.parse(json)
  const scope = await readCompanyScope(db, deal.company_id)
  if (!scope) return undefined
  const others = scope.deals.filter((other) => other.id !== id)
  const title = [deal.company_name, ...(deal.round ? [deal.round] : [])].join(', ')
  return { ...scope, subject: 'deal', id, title, deals: [deal, ...others] }
}

async function readPersonScope(db: Db, id: string): Promise<Scope | undefined> {
  const json = await readRecord(db, { table: 'people', fields: personFields, id })
  if (json === undefined) return undefined
  const person: Person = JSON.parse(json)
  const today = new Date().toISOString().slice(0, 10)
  const present = person.companies.filter(({ until }) => until === null || until >= today)
  const ids = present.map(({ company_id }) => company_id)
  const { rows } = await sql<Company>`
    select ${companyFields} from companies where companies.id = any(${ids}) order by array_position(${ids}::text[], companies.id)`.execute(
    db,
  )
  const deals = await readDealsOf(db, idsOf(rows))
  const people = [{ ...person, role: present[0]?.role ?? null }]
  return { subject: 'person', id, title: person.name, companies: rows, people, deals }
}

/** The present people of a company, those whom the team met last first. */
async function readPeopleOf(db: Db, company_id: string): Promise<Scope['people']> {
  const { rows } = await sql<Scope['people'][number]>`
    select * from (select ${personFields}, link.role, link.is_primary
      from company_people link join people on people.id = link.person_id
      where link.company_id = ${company_id} and coalesce(link.until_on >= (now() at time zone 'UTC')::date, true)) person
    order by last_contact_at desc nulls last, is_primary desc, name, id limit ${MAX_RECORDS}`.execute(db)
  return rows
}

async function readDealsOf(db: Db, companies: readonly string[]): Promise<Deal[]> {
  const { rows } = await sql<Deal>`
    select ${dealFields} from dealflow where company_id = any(${[...companies]}::text[])
    order by (status = 'active') desc, id desc limit ${MAX_RECORDS}`.execute(db)
  return rows
}
