import { type Static, Type } from 'typebox'
import { deleted, gone, idPath } from '#src/features/trash/schema.ts'
import { filterExample } from '#src/platform/filter/schema.ts'
import { ErrorAnswer, endpoint, Strict } from '#src/platform/schema/shapes.ts'
import { companyIds, MAX_CHANGED_COMPANIES, selectedCompanies } from './bulk-change/bulk-change-schema.ts'
import { companyExample } from './schema.ts'

export const DeletedCompanies = Strict(
  Type.Object(
    {
      ids: companyIds,
      ...selectedCompanies,
    },
    {
      title: 'DeletedCompanies',
      examples: [{ ids: [companyExample.id] }, { filter: filterExample, expect: 120 }],
    },
  ),
)
export type DeletedCompanies = Static<typeof DeletedCompanies>

export const deleteCompanies = endpoint('DELETE', '/api/companies', {
  operationId: 'deleteCompanies',
  'x-action': 'delete',
  'x-idempotency': 'batched',
  tags: ['Companies'],
  summary: 'Delete many companies at once',
  description:
    `${deleted('companies')} Deletes all of them, as one action, or none: those with the ids, or up to ` +
    `${MAX_CHANGED_COMPANIES} that match filter and search. 400 if an id does not exist.`,
  body: DeletedCompanies,
  response: { ...gone, 409: ErrorAnswer('The number of companies is not the expected one.') },
})

export const deleteCompany = endpoint('DELETE', '/api/companies/:id', {
  operationId: 'deleteCompany',
  'x-action': 'delete',
  tags: ['Companies'],
  summary: 'Delete a company',
  description: `${deleted('company')} Its deals go with it.`,
  params: idPath('The id of a company: cmp_…'),
  response: gone,
})
