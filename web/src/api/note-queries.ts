import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from './paging.ts'
import { type Query, service } from './service.ts'

/** Notes, and the people who can take part in a call. */
export const noteQueries = {
  notes: (querystring: Query<'listNotes'>) =>
    queryOptions({
      queryKey: ['notes', 'list', querystring],
      queryFn: ({ signal }) => service.listNotes({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  note: (id: string) =>
    queryOptions({
      queryKey: ['notes', 'one', id],
      queryFn: async ({ signal }) => (await service.getNote({ params: { id } }, { signal })).data,
    }),
  /** The replies to several notes, oldest first. */
  replies: (ids: readonly string[]) =>
    queryOptions({
      queryKey: ['notes', 'replies', ids],
      queryFn: async ({ signal }) => {
        const querystring = { parent_id: [...ids], limit: MAX_PAGE_SIZE }
        return (await service.listNotes({ querystring }, { signal })).data
      },
      placeholderData: keepPreviousData,
    }),
  /** People to choose from: by words, or those of companies. */
  peopleToChoose: (querystring: Query<'listPeople'>) =>
    queryOptions({
      queryKey: ['people', 'choices', querystring],
      queryFn: async ({ signal }) => (await service.listPeople({ querystring }, { signal })).data,
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    }),
}
