import { type Static, Type } from 'typebox'
import { Activity, activityExample } from '#src/features/activity/schema.ts'
import { Deal, dealExample } from '#src/features/dealflow/schema.ts'
import {
  Data,
  endpoint,
  filterValue,
  IDS_PATTERN,
  IfMatch,
  MAX_JSON_VALUE_BYTES,
  Named,
  Nullable,
  OneOf,
  Page,
  Patch,
  pageQuery,
  Strict,
  Timestamp,
  Word,
  wordFilter,
} from '#src/platform/schema/shapes.ts'
import { profileExample } from './profile-schema.ts'
import { scoreExample } from './score-schema.ts'

/** A line of text that is not blank. */
const line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

const amount = { minimum: 0, maximum: 1e15 }

const json = { 'x-max-bytes': MAX_JSON_VALUE_BYTES }

const llm_score_details = {
  title: 'ScoreDetails',
  ...Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      ...json,
      description: 'As a bulk action llm_score writes them: see the example.',
      examples: [
        {
          ...scoreExample,
          scored_at: '2026-03-02T09:30:04.000Z',
          bulk_action_id: 'ba_01jw3f8x62k8m0p4r6t9w1y3z5',
        },
      ],
    }),
  ),
}

/** The fields that a caller may write. */
export const companyFields = {
  name: line(500),
  country: Nullable(line(200)),
  country_code: Nullable(
    Type.String({
      format: 'country-code',
      'x-normalize': 'country_code',
      description: 'ISO 3166-1 alpha-2, in any case; stored in upper case. UK is stored as GB.',
    }),
  ),
  hq_city: Nullable(line(200)),
  industry_category: Nullable(line(200)),
  activity_description: Nullable(line(20_000)),
  status: Type.String({
    ...Word,
    description: 'A lower_snake_case word. Known: active, inactive, acquired, public.',
  }),
  thesis_id: Nullable(Type.String({ minLength: 1, maxLength: 100, description: 'The id of a thesis: th_…' })),
  website: Nullable(Type.String({ maxLength: 2000, format: 'web-address' })),
  founded_year: Nullable(Type.Integer({ minimum: 1000, maximum: 2100 })),
  employee_count: Nullable(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  revenue_eur: Nullable(Type.Number({ ...amount, description: 'A year, in euros.' })),
  llm_score_overall: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  llm_score_details,
  executives: Nullable(
    Type.Array(Type.Unknown(), { ...json, maxItems: 500, description: 'Such as {name, title}.' }),
  ),
  financials: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      ...json,
      description: 'Such as {"2025": {revenue_eur, ebitda_eur}}.',
    }),
  ),
}

export const Company = Named('Company', {
  id: Type.String(),
  ...companyFields,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Company = Static<typeof Company>

export const companyExample: Company = {
  id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  name: 'Nordlys Robotics',
  country: 'Norway',
  country_code: 'NO',
  hq_city: 'Trondheim',
  industry_category: 'Robotics',
  activity_description: 'Picking robots for mid-sized warehouses.',
  status: 'active',
  thesis_id: null,
  website: 'https://nordlys-robotics.example',
  founded_year: 2017,
  employee_count: 84,
  revenue_eur: 11_400_000,
  llm_score_overall: 78,
  llm_score_details: null,
  executives: [{ name: 'Ingrid Solberg', title: 'Chief Executive Officer' }],
  financials: { '2025': { revenue_eur: 11_400_000, ebitda_eur: 900_000 } },
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
}

/** A company with more deals than this has the others under `GET /api/dealflow?company_id=`. */
export const MAX_DEALS_IN_DETAIL = 1000

export const CompanyDetail = Named('CompanyDetail', {
  company: Named('CompanyWithProfile', {
    ...Company.properties,
    enriched_data: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The enrichment profile, when there is one: see the example.',
        examples: [profileExample],
      }),
    ),
    enriched_data_error: Nullable(
      Type.String({
        description:
          'Why the enrichment profile cannot be shown, as a sentence: it is not a JSON object, it is too large, or ' +
          'object storage cannot be read. `enriched_data` is null then. null when nothing is wrong.',
      }),
    ),
  }),
  dealflow: Type.Unsafe<Deal | null>({
    anyOf: [Deal, { type: 'null' }],
    description: 'The latest active deal, else the latest.',
  }),
  deals: Type.Array(Deal, {
    description: `All deals of the company, newest first, up to ${MAX_DEALS_IN_DETAIL}.`,
  }),
  recent_activity: Type.Array(Activity, {
    description: 'The latest 10 records of the company and its deals.',
  }),
})
export type CompanyDetail = Static<typeof CompanyDetail>

export const SORT_FIELDS = [
  'created_at',
  'updated_at',
  'name',
  'llm_score_overall',
  'revenue_eur',
  'employee_count',
  'founded_year',
] as const
const SORTS = SORT_FIELDS.flatMap((field) => [field, `-${field}`] as const)

export const companyFilters = {
  status: wordFilter(),
  country_code: filterValue({
    'x-normalize': 'country_code',
    description: 'ISO 3166-1 alpha-2, in any case; UK is taken as GB.',
  }),
  industry_category: filterValue(),
  thesis_id: filterValue(),
  min_score: Type.Optional(
    Type.Integer({ minimum: -1e9, maximum: 1e9, description: 'The lowest llm_score_overall.' }),
  ),
  ids: Type.Optional(
    Type.String({
      pattern: IDS_PATTERN,
      description: 'Up to 1,000 ids with commas between them.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Text that the name or the description contains, whatever its case and accents.',
    }),
  ),
}
const CompanyFilters = Type.Object(companyFilters)
export type CompanyFilters = Static<typeof CompanyFilters>

export const CompanyQuery = Strict(
  Type.Object({
    ...pageQuery(50),
    ...companyFilters,
    sort: Type.Optional(
      OneOf(SORTS, {
        default: '-created_at',
        description:
          'A field, with - before it for descending order. Companies without a value come last in descending ' +
          'order and first in ascending.',
      }),
    ),
  }),
)
export type CompanyQuery = Static<typeof CompanyQuery>

const { name, ...optionalFields } = companyFields
const bodyExample = {
  name: companyExample.name,
  country: companyExample.country,
  country_code: companyExample.country_code,
  hq_city: companyExample.hq_city,
  industry_category: companyExample.industry_category,
  activity_description: companyExample.activity_description,
}

export const NewCompany = Strict(
  Type.Object(
    { name, ...Type.Partial(Type.Object(optionalFields)).properties },
    { title: 'NewCompany', examples: [bodyExample] },
  ),
)
export type NewCompany = Static<typeof NewCompany>

/** What a company's reader may send back unchanged. */
export const COMPANY_READ_ONLY = [
  ...['id', 'created_at', 'updated_at'],
  ...['enriched_data', 'enriched_data_error'],
] as const

export const CompanyPatch = {
  ...Patch(companyFields, COMPANY_READ_ONLY),
  title: 'CompanyPatch',
  examples: [{ status: 'acquired' }],
}
export type CompanyPatch = Static<typeof CompanyPatch>

export const ImportQuery = Strict(
  Type.Object({
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Report what would happen, and write nothing.' }),
    ),
    mapping: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description:
          'JSON that says which column holds a field, and with null that none does: {"name": "Firm", "status": null}.',
      }),
    ),
  }),
)
export type ImportQuery = Static<typeof ImportQuery>

export const ImportReport = Named('ImportReport', {
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Integer({ description: 'Rows of which nothing was written; `errors` says why.' }),
  errors: Type.Array(
    Type.Object({
      row: Type.Integer({ description: 'As a spreadsheet counts: the header is row 1.' }),
      column: Nullable(Type.String()),
      message: Type.String(),
    }),
    { description: 'The first 1,000.' },
  ),
  errors_omitted: Type.Integer({ description: 'How many more errors there were.' }),
  columns: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'For each recognised field, the columns that it was read from, best first.',
  }),
  ignored_columns: Type.Array(Type.String()),
  dry_run: Type.Boolean(),
})
export type ImportReport = Static<typeof ImportReport>

const path = Type.Object({ id: Type.String({ description: 'The id of a company: cmp_…' }) })
const tags = ['Companies']

export const listCompanies = endpoint('GET', '/api/companies', {
  operationId: 'listCompanies',
  tags,
  summary: 'List and search companies',
  description: 'Newest first, unless `sort` says otherwise. The total is exact.',
  querystring: CompanyQuery,
  response: { 200: Page(Company, companyExample) },
})

export const getCompany = endpoint('GET', '/api/companies/:id', {
  operationId: 'getCompany',
  tags,
  summary: 'Read a company with its deals, its latest activity and its profile',
  description:
    'A profile that cannot be read leaves `enriched_data` null and says why in `enriched_data_error`.',
  params: path,
  response: {
    200: Data(CompanyDetail, {
      company: { ...companyExample, enriched_data: null, enriched_data_error: null },
      dealflow: dealExample,
      deals: [dealExample],
      recent_activity: [activityExample],
    }),
  },
})

export const createCompany = endpoint('POST', '/api/companies', {
  operationId: 'createCompany',
  tags,
  summary: 'Create a company',
  description: 'Only the name is required.',
  body: NewCompany,
  response: { 201: Data(Company, companyExample) },
})

export const updateCompany = endpoint('PATCH', '/api/companies/:id', {
  operationId: 'updateCompany',
  tags,
  summary: 'Change a company',
  description: 'Only the fields that are named change; null clears one.',
  headers: IfMatch,
  params: path,
  body: CompanyPatch,
  response: { 200: Data(Company, companyExample) },
})

export const importCompanies = endpoint('POST', '/api/companies/import', {
  operationId: 'importCompanies',
  tags,
  summary: 'Import companies from a CSV file',
  description:
    'The body is the file, of any size: text/csv, or multipart/form-data with a field `file`. A row whose website ' +
    '(else name and country) is known already updates that company with the cells that are not blank. Each ' +
    'batch of rows is written as it is read; importing the same file again goes on where a broken import stopped.',
  consumes: ['text/csv', 'multipart/form-data'],
  querystring: ImportQuery,
  response: {
    200: Data(ImportReport, {
      created: 2317,
      updated: 0,
      unchanged: 0,
      failed: 2,
      errors: [{ row: 14, column: 'founded', message: 'founded_year must be a year, not "soon".' }],
      errors_omitted: 0,
      columns: { name: ['name'], activity_description: ['description', 'one_liner'] },
      ignored_columns: ['batch'],
      dry_run: false,
    }),
  },
})

export const exportCompanies = endpoint('GET', '/api/companies/export', {
  operationId: 'exportCompanies',
  tags,
  summary: 'Export companies as a CSV file',
  description: 'Oldest first, with the filters of the list. The import takes the file back unchanged.',
  produces: ['text/csv'],
  querystring: Strict(CompanyFilters),
  response: {
    200: Type.String({
      description: 'Cells that a spreadsheet would run as formulas begin with an apostrophe.',
      examples: [
        'id,name,website\r\ncmp_01jw3f8x5zfq2v5n6k7m8p9r0s,Nordlys Robotics,https://nordlys.example\r\n',
      ],
    }),
  },
})
