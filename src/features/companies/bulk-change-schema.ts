import { type Static, Type } from 'typebox'
import { Data, endpoint, Named, Patch, Strict } from '#src/platform/schema/shapes.ts'
import { companyExample, companyFields } from './schema.ts'

const { thesis_id, status, industry_category } = companyFields

export const CompanyChanges = Patch({ thesis_id, status, industry_category })
export type CompanyChanges = Static<typeof CompanyChanges>

export const CompaniesPatch = Strict(
  Type.Object(
    {
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 10_000,
        description: 'Ids of companies: cmp_…; duplicates count once.',
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
  updated: Type.Integer({ description: 'How many companies were changed.' }),
  unchanged: Type.Integer({ description: 'How many were so already.' }),
})
export type CompaniesChanged = Static<typeof CompaniesChanged>

export const updateCompanies = endpoint('PATCH', '/api/companies', {
  operationId: 'updateCompanies',
  tags: ['Companies'],
  summary: 'Change many companies at once',
  description:
    'All of them or none: an id that no company has is a 400. Only the fields that are named change; null clears one. Each company ' +
    'that was changed has its record in the activity log.',
  body: CompaniesPatch,
  response: { 200: Data(CompaniesChanged, { updated: 120, unchanged: 3 }) },
})
