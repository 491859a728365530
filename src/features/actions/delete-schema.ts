import { type Static, Type } from 'typebox'
import {
  companyIds,
  MAX_CHANGED_COMPANIES,
  selectedCompanies,
} from '#src/features/companies/bulk-change-schema.ts'
import { companyExample } from '#src/features/companies/schema.ts'
import { deleted, gone } from '#src/features/trash/schema.ts'
import { filterExample } from '#src/platform/filter/schema.ts'
import { ErrorAnswer, endpoint, Strict } from '#src/platform/schema/shapes.ts'

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
