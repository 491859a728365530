import { type RawBuilder, sql } from 'kysely'
import { contactFields } from '#src/features/contacts/index.ts'
import { DEAL_STATUSES, readStageOptions } from '#src/features/deals/index.ts'
import { builtInNames, type FieldKind, fieldsReader } from '#src/features/fields/index.ts'
import { nextStepFields } from '#src/features/next-steps/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import {
  type Fields,
  type FilterField,
  fieldsByName,
  type MultiField,
  optionsOf,
} from '#src/platform/filter/fields.ts'
import { normalizeCountryCode } from '#src/platform/schema/countries.ts'
import { normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { COMPANY_STATUSES, Company, DECISION_OUTCOMES } from './schema.ts'
import { normalizeTag } from './tags.ts'

const thesisCode = sql`(select code from theses where theses.id = thesis_id)`
const foldedThesisCode = sql`(select fold_text(code) from theses where theses.id = thesis_id)`
const ofDeals = (condition: RawBuilder<unknown>) =>
  sql`(companies.id in (select company_id from dealflow where ${condition}))`

/** A field of a company's deals, of which it may have several. */
const dealField = (
  name: string,
  label: string,
  column: 'stage' | 'status',
  known?: readonly string[],
): MultiField => ({
  name,
  label,
  type: 'multi_select',
  ...(known && { options: optionsOf(known) }),
  normalize: normalizeWord,
  readsOtherTables: true,
  hasAnyOf: (values) => ofDeals(sql`dealflow.${sql.ref(column)} = any(${values}::text[])`),
  isEmpty: sql`(not ${ofDeals(sql`true`)})`,
})

/** The fields that every company has. Columns have no qualifier, because the counters have some of them too. */
const BUILT_IN: readonly FilterField[] = [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`companies.id`, isRequired: true },
  {
    name: 'name',
    label: 'Name',
    type: 'text',
    sql: sql`name`,
    isRequired: true,
    normalize: normalizeName,
    sortBy: sql`name_sort`,
    searchedSql: sql`search_text`,
  },
  { name: 'country', label: 'Country (text)', type: 'text', sql: sql`country`, sortIndex: 'ascending' },
  {
    name: 'country_code',
    label: 'Country',
    type: 'select',
    sql: sql`country_code`,
    normalize: normalizeCountryCode,
    sortIndex: 'ascending',
  },
  { name: 'hq_city', label: 'HQ city', type: 'text', sql: sql`hq_city`, sortIndex: 'ascending' },
  {
    name: 'industry_category',
    label: 'Industry',
    type: 'text',
    sql: sql`industry_category`,
    sortIndex: 'ascending',
  },
  {
    name: 'activity_description',
    label: 'Description',
    type: 'long_text',
    sql: sql`activity_description`,
    searchedSql: sql`search_text`,
  },
  {
    name: 'status',
    label: 'Status',
    type: 'select',
    sql: sql`status`,
    isRequired: true,
    options: optionsOf(COMPANY_STATUSES),
    normalize: normalizeWord,
  },
  { name: 'thesis_id', label: 'Thesis', type: 'reference', sql: sql`thesis_id`, sortBy: foldedThesisCode },
  {
    name: 'thesis_code',
    label: 'Thesis code',
    type: 'text',
    sql: thesisCode,
    normalize: normalizeName,
    sortBy: foldedThesisCode,
    readsOtherTables: true,
  },
  { name: 'website', label: 'Website', type: 'url', sql: sql`website` },
  {
    name: 'founded_year',
    label: 'Founded',
    type: 'number',
    sql: sql`founded_year`,
    sqlType: 'integer',
    sortIndex: 'descending',
  },
  {
    name: 'employee_count',
    label: 'Employees',
    type: 'number',
    sql: sql`employee_count`,
    sqlType: 'integer',
    sortIndex: 'descending',
  },
  { name: 'revenue_eur', label: 'Revenue', type: 'money', sql: sql`revenue_eur`, sortIndex: 'descending' },
  {
    name: 'llm_score_overall',
    label: 'Score',
    type: 'number',
    sql: sql`llm_score_overall`,
    sqlType: 'integer',
    sortIndex: 'descending',
  },
  { name: 'llm_score_details', label: 'Score details', type: 'json', sql: sql`llm_score_details` },
  { name: 'executives', label: 'Executives', type: 'json', sql: sql`executives` },
  { name: 'financials', label: 'Financials', type: 'json', sql: sql`financials` },
  {
    name: 'tags',
    label: 'Tags',
    type: 'multi_select',
    normalize: normalizeTag,
    // The first condition lets PostgreSQL use the partial index.
    hasAnyOf: (values) => sql`(tags <> '{}' and tags && ${values}::text[])`,
    isEmpty: sql`(tags = '{}')`,
    sortBy: sql`fold_text(tags[1])`,
  },
  { name: 'owner_email', label: 'Owner', type: 'user', sql: sql`owner_email` },
  {
    name: 'decision_outcome',
    label: 'Decision',
    type: 'select',
    sql: sql`decision_outcome`,
    options: optionsOf(DECISION_OUTCOMES),
    normalize: normalizeWord,
  },
  { name: 'revisit_on', label: 'Look again on', type: 'date', sql: sql`revisit_on` },
  ...contactFields('company'),
  ...nextStepFields('company'),
  {
    name: 'created_at',
    label: 'Created',
    type: 'timestamp',
    sql: sql`created_at`,
    isRequired: true,
    // Ids are in the order of creation.
    sortBy: sql`companies.id`,
  },
  { name: 'updated_at', label: 'Updated', type: 'timestamp', sql: sql`updated_at`, isRequired: true },
  {
    name: 'has_deal',
    label: 'Has a deal',
    type: 'boolean',
    sql: ofDeals(sql`true`),
    isRequired: true,
    readsOtherTables: true,
  },
  dealField('deal_stage', 'Deal stage', 'stage'),
  dealField('deal_status', 'Deal status', 'status', DEAL_STATUSES),
]

/**
 * The fields that companies can be filtered and sorted by.
 * @param custom the fields that users have defined; none may have the name of a built-in one
 */
export const companyFilterFields = (custom: readonly FilterField[]): Fields =>
  fieldsByName('company', [...BUILT_IN, ...custom])

/** What lists are sorted by unless they say otherwise. */
export const creationField = companyFilterFields([]).get('created_at') as FilterField

/** The fields of companies at present. */
export const readCompanyFields = fieldsReader('company', BUILT_IN)

/** The fields of companies, for the list of fields. */
export const companyFieldKind = {
  entity: 'company',
  readFields: readCompanyFields,
  builtInNames: builtInNames(Company.properties, BUILT_IN),
  readOptions: async (db) => ({ deal_stage: await readStageOptions(db) }),
  readFieldsWithValues,
} satisfies FieldKind

/** What indexes hold of fields, ascending or descending with empty values last. */
const INDEXED = {
  ascending: {
    country: sql`fold_text(country)`,
    country_code: sql`country_code`,
    hq_city: sql`fold_text(hq_city)`,
    industry_category: sql`industry_category`,
    thesis_id: sql`thesis_id`,
    owner_email: sql`owner_email`,
    decision_outcome: sql`decision_outcome`,
    revisit_on: sql`revisit_on`,
  },
  descending: {
    founded_year: sql`founded_year`,
    employee_count: sql`employee_count`,
    revenue_eur: sql`revenue_eur`,
    llm_score_overall: sql`llm_score_overall`,
  },
}

/**
 * Whether any company has a value in each field, by name, as the first entry of its index says. Other fields are missing:
 * they have no such index.
 */
async function readFieldsWithValues(db: Db): Promise<Readonly<Record<string, boolean>>> {
  const found = Object.entries(INDEXED).flatMap(([direction, fields]) =>
    Object.entries(fields).map(([name, value]) => {
      const order = direction === 'ascending' ? sql`asc nulls last` : sql`desc nulls last`
      // Without exists, which ignores the order and may read the whole table instead.
      return sql`
        (select true from companies where ${value} is not null order by ${value} ${order} limit 1) is not null
          as ${sql.ref(name)}`
    }),
  )
  const { rows } = await sql<Record<string, boolean>>`select ${sql.join(found)}`.execute(db)
  return rows[0] as Record<string, boolean>
}
