import { type Static, Type } from 'typebox'
import { Data, endpoint, Named, Nullable, Patch, Strict } from '#src/platform/schema/shapes.ts'
import { companyExample, companyFields } from './schema.ts'

const { thesis_id, status, industry_category } = companyFields

export const MAX_CHANGED_COMPANIES = 10_000

export const CompanyChanges = Patch({ thesis_id, status, industry_category })
export type CompanyChanges = Static<typeof CompanyChanges>

export const CompaniesPatch = Strict(
  Type.Object(
    {
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: MAX_CHANGED_COMPANIES,
        description: 'Ids of companies: cmp_… Duplicates count once.',
      }),
      changes: CompanyChanges,
    },
    {
      title: 'CompaniesPatch',
      examples: [{ ids: [companyExample.id], changes: { status: 'inactive', thesis_id: null } }],
    },
  ),
)
export type CompaniesPatch = Static<typeof CompaniesPatch>

export const CompaniesChanged = Named('CompaniesChanged', {
  updated: Type.Integer({ description: 'The number of companies that were changed.' }),
  unchanged: Type.Integer({ description: 'The number of companies that already had these values.' }),
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the change. null if nothing was changed.',
    }),
  ),
})
export type CompaniesChanged = Static<typeof CompaniesChanged>

export const updateCompanies = endpoint('PATCH', '/api/companies', {
  operationId: 'updateCompanies',
  'x-action': 'write',
  tags: ['Companies'],
  summary: 'Change many companies at once',
  description:
    'Changes all of the companies or none. 400 if an id does not exist. Changes only the fields in `changes`; null clears a ' +
    'field. Each change is recorded in the activity log.',
  body: CompaniesPatch,
  response: {
    200: Data(CompaniesChanged, {
      updated: 120,
      unchanged: 3,
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
    }),
  },
})
