import { type RawBuilder, sql } from 'kysely'
import { builtInNames, type FieldKind, fieldsReader } from '#src/features/fields/index.ts'
import { nextStepFields } from '#src/features/next-steps/index.ts'
import { type FilterField, optionsOf, type SingleField } from '#src/platform/filter/fields.ts'
import { normalizeCountryCode } from '#src/platform/schema/countries.ts'
import { normalizeEmail, normalizeSpaces, normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { DEAL_STATUSES, Deal, STUCK_DAYS } from './schema.ts'
import { sourceNameOf } from './source.ts'
import { SOURCE_TYPES } from './source-schema.ts'
import { readStageOptions } from './stage-options.ts'

/** A field of the deal's company. Its name is that of the company's field after `company_`. */
const ofCompany = (field: Omit<SingleField, 'sql'>): SingleField => ({
  ...field,
  sql: sql`(select ${sql.ref(field.name.replace(/^company_/, ''))} from companies
    where companies.id = dealflow.company_id)`,
  readsOtherTables: true,
})

const thesisCode = sql`(select fold_text(theses.code) from theses, companies
  where companies.id = dealflow.company_id and theses.id = companies.thesis_id)`

const hasCompany = (condition: RawBuilder<unknown>) =>
  sql`(exists (select from companies where companies.id = dealflow.company_id and ${condition}))`

/** Sorts deals in the order of the board. Stages that are not configured come last, by name. */
const boardOrder = sql`coalesce((
  select lpad(configured.place::text, 4, '0') from deal_stage_config,
    json_array_elements(stages) with ordinality as configured(of_board, place)
  where configured.of_board ->> 'key' = dealflow.stage), stage) collate "C"`

/** Whether a deal is stuck in its stage, by the present stages. Days are those of the calendar in UTC, as filters count them with `-30d`. */
export const isStuck = sql`(status not in ('won', 'lost', 'on_hold')
  and stage_entered_at < (date_trunc('day', now() at time zone 'UTC') - ${`${STUCK_DAYS} days`}::interval) at time zone 'UTC'
  and stage not in (
    select closed.key from deal_stage_config, json_to_recordset(stages) as closed(key text, outcome text)
    where closed.outcome is not null))`

const BUILT_IN: readonly FilterField[] = [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`id`, isRequired: true },
  { name: 'company_id', label: 'Company', type: 'reference', sql: sql`company_id`, isRequired: true },
  ofCompany({
    name: 'company_name',
    label: 'Company name',
    type: 'text',
    isRequired: true,
    normalize: normalizeName,
  }),
  ofCompany({
    name: 'company_country_code',
    label: 'Country',
    type: 'select',
    normalize: normalizeCountryCode,
  }),
  ofCompany({ name: 'company_industry_category', label: 'Industry', type: 'text' }),
  {
    name: 'company_tags',
    label: 'Tags',
    type: 'multi_select',
    normalize: normalizeSpaces,
    readsOtherTables: true,
    hasAnyOf: (values) => hasCompany(sql`companies.tags && ${values}::text[]`),
    isEmpty: hasCompany(sql`companies.tags = '{}'`),
  },
  ofCompany({ name: 'company_thesis_id', label: 'Thesis', type: 'reference', sortBy: thesisCode }),
  ofCompany({ name: 'company_owner_email', label: 'Owner of the company', type: 'user' }),
  ofCompany({ name: 'company_llm_score_overall', label: 'Score', type: 'number', sqlType: 'integer' }),
  {
    name: 'stage',
    label: 'Stage',
    type: 'select',
    sql: sql`stage`,
    isRequired: true,
    normalize: normalizeWord,
    sortBy: boardOrder,
  },
  { name: 'probability', label: 'Probability', type: 'number', sql: sql`probability`, sqlType: 'integer' },
  { name: 'notes', label: 'Summary', type: 'long_text', sql: sql`notes` },
  {
    name: 'status',
    label: 'Status',
    type: 'select',
    sql: sql`status`,
    isRequired: true,
    options: optionsOf(DEAL_STATUSES),
    normalize: normalizeWord,
  },
  { name: 'owner_email', label: 'Owner', type: 'user', sql: sql`owner_email` },
  { name: 'amount_eur', label: 'Amount', type: 'money', sql: sql`amount_eur` },
  { name: 'round', label: 'Round', type: 'text', sql: sql`round` },
  { name: 'valuation_eur', label: 'Valuation', type: 'money', sql: sql`valuation_eur` },
  { name: 'ownership_percent', label: 'Ownership (%)', type: 'number', sql: sql`ownership_percent` },
  { name: 'source', label: 'Source', type: 'text', sql: sql`source` },
  {
    name: 'source_name',
    label: 'Brought by',
    type: 'text',
    sql: sourceNameOf(sql`dealflow.source_type`, sql`dealflow.source_id`),
    normalize: normalizeName,
    readsOtherTables: true,
  },
  {
    name: 'source_type',
    label: 'Brought by (kind)',
    type: 'select',
    sql: sql`source_type`,
    options: optionsOf(SOURCE_TYPES),
    normalize: normalizeWord,
  },
  {
    name: 'source_id',
    label: 'Brought by (ID)',
    type: 'reference',
    sql: sql`source_id`,
    normalize: normalizeEmail,
  },
  { name: 'lost_reason', label: 'Lost reason', type: 'text', sql: sql`lost_reason` },
  { name: 'expected_close_on', label: 'Expected closing', type: 'date', sql: sql`expected_close_on` },
  ...nextStepFields('deal'),
  {
    name: 'stage_entered_at',
    label: 'In this stage since',
    type: 'timestamp',
    sql: sql`stage_entered_at`,
    isRequired: true,
  },
  {
    name: 'is_stuck',
    label: 'Stuck',
    type: 'boolean',
    sql: isStuck,
    isRequired: true,
    readsOtherTables: true,
  },
  { name: 'created_at', label: 'Created', type: 'timestamp', sql: sql`created_at`, isRequired: true },
  { name: 'updated_at', label: 'Updated', type: 'timestamp', sql: sql`updated_at`, isRequired: true },
]

/** The fields that deals can be filtered and sorted by at present. */
export const readDealFields = fieldsReader('deal', BUILT_IN)

/** The fields of deals, for the list of fields. */
export const dealFieldKind = {
  entity: 'deal',
  readFields: readDealFields,
  builtInNames: builtInNames(Deal.properties, BUILT_IN),
  readOptions: async (db) => ({ stage: await readStageOptions(db) }),
} satisfies FieldKind
