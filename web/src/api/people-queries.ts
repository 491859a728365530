import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from './paging.ts'
import { type Query, service } from './service.ts'

/** Queries of people. After a change, invalidate `['people']`. */
export const peopleQueries = {
  people: (querystring: Query<'listPeople'>) =>
    queryOptions({
      queryKey: ['people', 'list', querystring],
      queryFn: ({ signal }) => service.listPeople({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  person: (id: string) =>
    queryOptions({
      queryKey: ['people', 'one', id],
      queryFn: async ({ signal }) => (await service.getPerson({ params: { id } }, { signal })).data,
    }),
  /** The people of a company. */
  companyPeople: (id: string) =>
    queryOptions({
      queryKey: ['people', 'of-company', id],
      queryFn: ({ signal }) =>
        service.listCompanyPeople({ params: { id }, querystring: { limit: MAX_PAGE_SIZE } }, { signal }),
    }),
}
