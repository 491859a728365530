import { queryOptions } from '@tanstack/react-query'
import { errorOf } from '#src/client/errors.ts'
import { service, withUser } from './service.ts'

export type BriefOf = 'company' | 'person' | 'deal'
const BRIEFS: Record<BriefOf, string> = { company: 'companies', person: 'people', deal: 'dealflow' }

/** Who knows a record, and what is to be known about it before a meeting. */
export const relationshipQueries = {
  ofCompany: (id: string) =>
    queryOptions({
      queryKey: ['notes', 'relationships', 'company', id],
      queryFn: ({ signal }) =>
        service.listCompanyRelationships({ params: { id }, querystring: { limit: 50 } }, { signal }),
    }),
  ofPerson: (id: string) =>
    queryOptions({
      queryKey: ['notes', 'relationships', 'person', id],
      queryFn: ({ signal }) =>
        service.listPersonRelationships({ params: { id }, querystring: { limit: 50 } }, { signal }),
    }),
  /** The brief as Markdown. */
  brief: (of: BriefOf, id: string) =>
    queryOptions({
      queryKey: ['timeline', 'brief', of, id],
      queryFn: async ({ signal }) => {
        const response = await fetch(
          `/api/${BRIEFS[of]}/${encodeURIComponent(id)}/brief?format=markdown`,
          withUser({ signal }),
        )
        if (!response.ok) throw await errorOf(response)
        return response.text()
      },
    }),
}
