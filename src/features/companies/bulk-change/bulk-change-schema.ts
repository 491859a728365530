import { type Static, Type } from 'typebox'
import { FilterSchema, filterExample } from '#src/platform/filter/schema.ts'
import { Data, ErrorAnswer, endpoint, Named, Nullable, Patch, Strict } from '#src/platform/schema/shapes.ts'
import { companyFilters } from '../filters-schema.ts'
import { companyExample, companyProperties } from '../schema.ts'

const { thesis_id, status, industry_category, tags, owner_email, custom } = companyProperties

/** As many as one request changes or deletes. */
export const MAX_CHANGED_COMPANIES = 10_000

/** The companies that a request changes or deletes. */
export const companyIds = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: MAX_CHANGED_COMPANIES,
    description: 'Ids of companies: cmp_… Duplicates count once.',
  }),
)

export const CompanyChanges = Patch({
  thesis_id,
  status,
  industry_category,
  owner_email,
  tags,
  add_tags: { ...tags, minItems: 1, description: 'Tags that the companies get in addition.' },
  remove_tags: { ...tags, minItems: 1, description: 'Tags that the companies lose. Not case sensitive.' },
  custom,
})
export type CompanyChanges = Static<typeof CompanyChanges>

/** Selects companies instead of their ids. */
export const selectedCompanies = {
  filter: Type.Optional(FilterSchema),
  search: companyFilters.search,
  expect: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CHANGED_COMPANIES,
      description:
        'The number of companies that you expect. With another number, the response is 409 and nothing changes.',
    }),
  ),
}

export const CompaniesPatch = Strict(
  Type.Object(
    {
      ids: companyIds,
      ...selectedCompanies,
      changes: CompanyChanges,
    },
    {
      title: 'CompaniesPatch',
      examples: [
        { ids: [companyExample.id], changes: { status: 'inactive', thesis_id: null } },
        { filter: filterExample, expect: 120, changes: { status: 'inactive' } },
      ],
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
  'x-idempotency': 'batched',
  tags: ['Companies'],
  summary: 'Change many companies at once',
  description:
    `Changes all of the companies or none: those with the ids, or up to ${MAX_CHANGED_COMPANIES} that match filter and ` +
    'search. 400 if an id does not exist. Changes only the fields in `changes`; null clears a field. Each change is ' +
    'recorded in the activity log. `tags` replaces the tags of each company; `add_tags` and `remove_tags` change them.',
  body: CompaniesPatch,
  response: {
    200: Data(CompaniesChanged, {
      updated: 120,
      unchanged: 3,
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
    }),
    409: ErrorAnswer('The number of companies is not the expected one.'),
  },
})
