import { infiniteQueryOptions } from '@tanstack/react-query'
import { type TimelinePage, withUser } from './service.ts'

const PATHS = { company: 'companies', person: 'people', deal: 'dealflow' }

const PAGE_SIZE = 50

export const timelineQueries = {
  /** What happened with a record, newest first. */
  timeline: (of: 'company' | 'person' | 'deal', id: string, kinds: readonly string[]) =>
    infiniteQueryOptions({
      queryKey: ['timeline', of, id, kinds],
      queryFn: async ({ pageParam, signal }): Promise<TimelinePage> => {
        const search = new URLSearchParams({ limit: String(PAGE_SIZE), kinds: kinds.join() })
        if (pageParam) search.set('before', pageParam)
        return (await fetch(`/api/${PATHS[of]}/${id}/timeline?${search}`, withUser({ signal }))).json()
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
    }),
}
