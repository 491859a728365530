import { infiniteQueryOptions } from '@tanstack/react-query'
import { service, type TimelineEntry } from './service.ts'

const TIMELINES = {
  company: service.getCompanyTimeline,
  person: service.getPersonTimeline,
  deal: service.getDealTimeline,
}

const PAGE_SIZE = 50

export const timelineQueries = {
  /** What happened with a record, newest first. */
  timeline: (of: keyof typeof TIMELINES, id: string, kinds: readonly TimelineEntry['kind'][]) =>
    infiniteQueryOptions({
      queryKey: ['timeline', of, id, kinds],
      queryFn: ({ pageParam, signal }) => {
        const querystring = {
          limit: PAGE_SIZE,
          ...(pageParam !== null && { before: pageParam }),
          ...(kinds.length > 0 && { kinds: [...kinds] }),
        }
        return TIMELINES[of]({ params: { id }, querystring }, { signal })
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
    }),
}
