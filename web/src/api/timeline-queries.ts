import { infiniteQueryOptions } from '@tanstack/react-query'
import { service, type TimelinePage } from './service.ts'

type Read = (
  input: { params: { id: string }; querystring: { before?: string; kinds?: string[]; limit: number } },
  options: { signal: AbortSignal },
) => Promise<TimelinePage>
const TIMELINES = service as unknown as Record<
  'getCompanyTimeline' | 'getPersonTimeline' | 'getDealTimeline',
  Read
>

const PAGE_SIZE = 50

export const timelineQueries = {
  /** What happened with a record, newest first. */
  timeline: (of: 'company' | 'person' | 'deal', id: string, kinds: readonly string[]) =>
    infiniteQueryOptions({
      queryKey: ['timeline', of, id, kinds],
      queryFn: ({ pageParam, signal }) => {
        const read = {
          company: TIMELINES.getCompanyTimeline,
          person: TIMELINES.getPersonTimeline,
          deal: TIMELINES.getDealTimeline,
        }[of]
        const querystring = {
          limit: PAGE_SIZE,
          ...(pageParam && { before: pageParam }),
          ...(kinds.length > 0 && { kinds: [...kinds] }),
        }
        return read({ params: { id }, querystring }, { signal })
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
    }),
}
