import { type RawBuilder, sql } from 'kysely'
import { contactColumns } from '#src/features/contacts/index.ts'
import { logoUrl } from '#src/features/logos/index.ts'
import { nextStepColumn } from '#src/features/next-steps/index.ts'
import { unknownThesis } from '#src/features/theses/index.ts'
import type { Counter } from '#src/platform/database/counters.ts'
import type { Db } from '#src/platform/database/database.ts'
import { onViolation } from '#src/platform/database/errors.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { laterTime, precompile, readRecord, utc } from '#src/platform/database/sql.ts'
import { MAX_JSON_VALUE_BYTES } from '#src/platform/schema/shapes.ts'
import type { StoredCompany } from './company-row.ts'

/** The writable columns and their types in PostgreSQL. */
const COLUMNS = {
  id: 'text',
  name: 'text',
  country: 'text',
  country_code: 'text',
  hq_city: 'text',
  industry_category: 'text',
  activity_description: 'text',
  status: 'text',
  thesis_id: 'text',
  website: 'text',
  founded_year: 'integer',
  employee_count: 'integer',
  revenue_eur: 'double precision',
  llm_score_overall: 'integer',
  llm_score_details: 'json',
  executives: 'json',
  financials: 'json',
  tags: 'text[]',
  owner_email: 'text',
  custom: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Record<keyof StoredCompany, string>

const columns = sql.raw(Object.keys(COLUMNS).join(', '))
const columnTypes = sql.raw(
  Object.entries(COLUMNS)
    .map(([column, type]) => `${column} ${type}`)
    .join(', '),
)
const assignments = sql.raw(
  Object.keys(COLUMNS)
    .filter((column) => !['id', 'created_at', 'updated_at'].includes(column))
    .map((column) => `${column} = row.${column}`)
    .join(', '),
)

/** A company's fields as they are kept. */
export const storedFields =
  precompile(sql`companies.id, name, country, country_code, hq_city, industry_category,
  activity_description, status, thesis_id, website, founded_year, employee_count, revenue_eur, llm_score_overall,
  llm_score_details, executives, financials, tags, owner_email, custom, ${utc('created_at')}, ${utc('updated_at')}`)

/** A field of free JSON, or a note of its size if it was written before such fields were limited. */
const shortened = (column: 'llm_score_details' | 'executives' | 'financials') => {
  const bytes = sql`octet_length(${sql.ref(column)}::text)`
  const note = sql`json_build_object('truncated', true, 'bytes', ${bytes})`
  return sql`case when ${bytes} > ${sql.lit(MAX_JSON_VALUE_BYTES)}
    then ${column === 'executives' ? sql`json_build_array(${note})` : note} else ${sql.ref(column)} end as ${sql.ref(column)}`
}

/** A company's fields as the API shows them. */
export const companyFields =
  precompile(sql`companies.id, name, country, country_code, hq_city, industry_category,
  activity_description, status, thesis_id, website, founded_year, employee_count, revenue_eur, llm_score_overall,
  ${shortened('llm_score_details')}, ${shortened('executives')}, ${shortened('financials')}, tags, owner_email, custom,
  decision_outcome, companies.revisit_on::text as revisit_on, ${contactColumns('company')},
  ${nextStepColumn('company')},  ${logoUrl} as logo_url, ${utc('created_at')}, ${utc('updated_at')}`)

const recordset = (json: unknown) => sql`json_to_recordset(${json}::json) as row (${columnTypes})`

/** The statement that inserts companies, given as a JSON array. */
export const insertCompanyRows = (json: unknown): RawBuilder<unknown> =>
  sql`insert into companies (${columns}) select ${columns} from ${recordset(json)}`

/** The statement that inserts companies. */
export const insertCompanies = (companies: StoredCompany[]): RawBuilder<unknown> =>
  insertCompanyRows(JSON.stringify(companies))

/** The statement that overwrites all fields of existing companies. */
export const updateCompanies = (companies: StoredCompany[]): RawBuilder<unknown> =>
  sql`update companies set ${assignments}, updated_at = ${laterTime(sql`row.updated_at`, 'companies.updated_at')} from ${recordset(JSON.stringify(companies))} where companies.id = row.id`

export const readCompany = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table: 'companies', fields: companyFields, id })

/** The companies' rows, oldest first, locked until the transaction ends. */
export async function lockCompanies(db: Db, where: RawBuilder<unknown>): Promise<StoredCompany[]> {
  const { rows } = await sql<StoredCompany>`
    select ${storedFields} from companies where ${where} order by companies.id for no key update`.execute(db)
  return rows
}

/** The companies' rows, oldest first. */
export const readCompanies = (db: Db, ids: string[]): Promise<StoredCompany[]> =>
  readCompaniesWhere(db, sql`companies.id = any(${ids})`)

/** The rows of the companies that meet a condition, oldest first. */
export async function readCompaniesWhere(db: Db, where: RawBuilder<unknown>): Promise<StoredCompany[]> {
  const { rows } = await sql<StoredCompany>`
    select ${storedFields} from companies where ${where} order by companies.id`.execute(db)
  return rows
}

/** Turns a violated reference to a thesis into an InvalidReference. */
export const rejectUnknownThesis = (thesisId: string | null | undefined) =>
  onViolation('companies_thesis_exists', () => unknownThesis(thesisId))

/** Counts the companies for each combination of these columns. */
export const companyCounter: Counter = {
  name: 'company',
  columns: ['status', 'country_code', 'industry_category', 'thesis_id'],
  foldedTable: 'company_changes',
}

/** Counts the companies with each tag; null: those without tags. */
export const tagCounter: Counter = { name: 'company_tag', columns: ['tag'] }
