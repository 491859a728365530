import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#src/client/client.ts'
import type { VIEW_ENTITIES } from '#src/client/limits.ts'
import { OPEN_VIEW } from '#web/api/live/affected-queries.ts'
import { MAX_PAGE_SIZE } from '#web/api/paging.ts'
import { service } from '#web/api/service.ts'

export type View = Awaited<ReturnType<Client['listViews']>>['data'][number]

/** The kinds of records that views list. */
export type ViewEntity = (typeof VIEW_ENTITIES)[number]

/** Queries of views. After a change, invalidate them by the first word of the key. */
export const viewQueries = {
  /** The user's views and shared views of these records, in the user's order. */
  views: (entity: ViewEntity) =>
    queryOptions({
      queryKey: ['views', entity],
      queryFn: async ({ signal }) => {
        const querystring = { entity, limit: MAX_PAGE_SIZE }
        return (await service.listViews({ querystring }, { signal })).data
      },
      staleTime: 30_000,
    }),
  /**
   * Which records have entered a view since the user last looked: their number, and their ids if they are few. For the
   * open view, they are read again whenever its list is; the other views share the rate limit with everything else.
   */
  news: (id: string, isOpen: boolean) =>
    queryOptions({
      queryKey: [isOpen ? OPEN_VIEW : 'view-news', id],
      queryFn: async ({ signal }) => {
        const page = await service.listNewRecords({ params: { id }, querystring: { limit: 0 } }, { signal })
        const { total: count } = page.pagination
        // Marking only some of them would imply that the others are not new.
        const ids = page.ids.length < count ? [] : page.ids
        return { count, ids, isFirstLook: page.seen_at === null, until: page.until }
      },
      staleTime: isOpen ? 0 : 5 * 60_000,
      retry: false,
    }),
}
