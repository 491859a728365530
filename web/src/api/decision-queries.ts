import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Query, service } from './service.ts'

/** Decisions about companies, and the reasons that they can have. */
export const decisionQueries = {
  decisions: (querystring: Query<'listDecisions'>) =>
    queryOptions({
      queryKey: ['decisions', 'list', querystring],
      queryFn: ({ signal }) => service.listDecisions({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  reasonConfig: () =>
    queryOptions({
      queryKey: ['reason-config'],
      queryFn: async ({ signal }) => (await service.getReasonConfig({}, { signal })).data,
      staleTime: 60_000,
    }),
  /** The companies to look at again by today, those that are due longest first. */
  dueCompanies: (limit: number) => {
    const due = {
      filter: JSON.stringify({ field: 'revisit_on', op: 'lte', value: 'today' }),
      sort: 'revisit_on',
      limit,
    }
    return queryOptions({
      queryKey: ['companies', 'due', due],
      queryFn: ({ signal }) => service.listCompanies({ querystring: due }, { signal }),
    })
  },
}
