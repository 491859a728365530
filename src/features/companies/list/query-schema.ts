import { type Static, Type } from 'typebox'
import {
  FilterSchema,
  filterExample,
  MAX_FILTER_BODY_BYTES,
  SortSchema,
} from '#src/platform/filter/schema.ts'
import { endpoint, Page, pageQuery, Strict } from '#src/platform/schema/shapes.ts'
import { companyFilters } from '../filters-schema.ts'
import { Company, companyExample } from '../schema.ts'

const { limit, offset } = pageQuery()

export const CompanyListRequest = Strict(
  Type.Object(
    {
      filter: Type.Optional(FilterSchema),
      search: companyFilters.search,
      sort: Type.Optional(SortSchema),
      limit,
      offset,
    },
    {
      title: 'CompanyListRequest',
      examples: [
        {
          filter: filterExample,
          sort: [{ field: 'llm_score_overall', direction: 'desc', nulls: 'last' }, { field: 'name' }],
          limit: 50,
        },
      ],
    },
  ),
)
export type CompanyListRequest = Static<typeof CompanyListRequest>

export const queryCompanies = endpoint('POST', '/api/companies/query', {
  operationId: 'queryCompanies',
  'x-action': 'read',
  'x-reads-only': true,
  'x-idempotency': 'none',
  tags: ['Companies'],
  summary: 'List companies by a filter and several sort fields',
  description: `Newest first by default. The total is exact. Changes nothing. The body may have up to ${MAX_FILTER_BODY_BYTES / 1024} KiB.`,
  body: CompanyListRequest,
  response: { 200: Page(Company, companyExample) },
})
