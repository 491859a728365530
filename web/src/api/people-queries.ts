import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from './paging.ts'
import { type Query, service } from './service.ts'

const MAX_SAME = 5

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
  /** Other people who may be the same as a person. */
  samePeople: (person_id: string) =>
    queryOptions({
      queryKey: ['people', 'same', person_id],
      queryFn: async ({ signal }) => {
        const querystring = { person_id, limit: MAX_SAME }
        const { data } = await service.listDuplicatePeople({ querystring }, { signal })
        return data.flatMap(({ people, reasons }) => {
          const other = people.find(({ id }) => id !== person_id)
          return other ? [{ person: other, reasons }] : []
        })
      },
    }),
  /** The people of a company. */
  companyPeople: (id: string) =>
    queryOptions({
      queryKey: ['people', 'of-company', id],
      queryFn: ({ signal }) =>
        service.listCompanyPeople({ params: { id }, querystring: { limit: MAX_PAGE_SIZE } }, { signal }),
    }),
}
