import { type Static, Type } from 'typebox'
import { Activity, activityExample, historyEndpoint } from '#src/features/activity/schema.ts'
import { Deal, dealExample } from '#src/features/deals/schema.ts'
import { MovedAnswer } from '#src/features/trash/schema.ts'
import { Data, endpoint, Named, Nullable, Strict } from '#src/platform/schema/shapes.ts'
import { Company, CompanyPath, companyExample } from '../schema.ts'
import { profileExample } from './profile-schema.ts'

/** The detail lists at most this many deals. `GET /api/dealflow?company_id=` lists all of them. */
export const MAX_DEALS_IN_DETAIL = 1000

export const CompanyDetail = Named('CompanyDetail', {
  company: Named('CompanyWithProfile', {
    ...Company.properties,
    enriched_data: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The enrichment profile, if there is one. See the example.',
        examples: [profileExample],
      }),
    ),
    enriched_data_error: Nullable(
      Type.String({
        description:
          'Why the enrichment profile cannot be shown: it is not a JSON object, it is too large, or object storage cannot ' +
          'be read. `enriched_data` is then null.',
      }),
    ),
  }),
  dealflow: Type.Unsafe<Deal | null>({
    anyOf: [Deal, { type: 'null' }],
    description: 'The latest active deal, or the latest deal if none is active.',
  }),
  deals: Type.Array(Deal, {
    description: `The company's deals, newest first, up to ${MAX_DEALS_IN_DETAIL}.`,
  }),
  recent_activity: Type.Array(Activity, {
    description: 'The latest 10 activity records of the company, of those merged into it, and of its deals.',
  }),
})
export type CompanyDetail = Static<typeof CompanyDetail>

export const getCompany = endpoint('GET', '/api/companies/:id', {
  operationId: 'getCompany',
  'x-action': 'read',
  tags: ['Companies'],
  summary: 'Read a company with its deals, recent activity and profile',
  description: 'If the profile cannot be read, `enriched_data` is null and `enriched_data_error` says why.',
  params: CompanyPath,
  querystring: Strict(
    Type.Object({
      as_of: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'Show the company and its deals as they were at this time. 404 before it existed. `enriched_data` is then null: ' +
            'profiles have no history.',
        }),
      ),
    }),
  ),
  response: {
    200: Data(CompanyDetail, {
      company: { ...companyExample, enriched_data: null, enriched_data_error: null },
      dealflow: dealExample,
      deals: [dealExample],
      recent_activity: [activityExample],
    }),
    301: MovedAnswer,
  },
})

const { schema, ...address } = historyEndpoint(
  '/api/companies/:id/history',
  'getCompanyHistory',
  'Companies',
  'company',
)
export const getCompanyHistory = {
  ...address,
  schema: { ...schema, response: { ...schema.response, 301: MovedAnswer } },
}
