import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { service } from './service.ts'

const PAGE_SIZE = 50

/** Which notifications the Inbox lists: those that are not done, those of them that are unread, or those that are done. */
export type InboxFilter = 'all' | 'unread' | 'done'

const FOLLOWS = {
  company: service.getCompanyFollow,
  deal: service.getDealFollow,
  person: service.getPersonFollow,
  thesis: service.getThesisFollow,
}
export type FollowedType = keyof typeof FOLLOWS

/** Queries of the user's notifications, and of what the user follows. */
export const notificationQueries = {
  /** The number of notifications that are neither read nor done. */
  unread: () =>
    queryOptions({
      queryKey: ['notifications', 'unread'],
      queryFn: async ({ signal }) =>
        (
          await service.listNotifications(
            { querystring: { unread: true, done: false, limit: 1 } },
            { signal },
          )
        ).unread,
      // Events say when it changes.
      staleTime: 60_000,
    }),
  /** Newest first, page by page. */
  list: (filter: InboxFilter) =>
    infiniteQueryOptions({
      queryKey: ['notifications', 'list', filter],
      queryFn: ({ pageParam, signal }) => {
        const querystring = {
          limit: PAGE_SIZE,
          done: filter === 'done',
          ...(filter === 'unread' && { unread: true }),
          ...(pageParam !== null && { before: pageParam }),
        }
        return service.listNotifications({ querystring }, { signal })
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
    }),
  settings: () =>
    queryOptions({
      queryKey: ['notification-settings'],
      queryFn: async ({ signal }) => (await service.getNotificationSettings({}, { signal })).data,
    }),
  /** Whether the user follows a record, and who else does. */
  follow: (type: FollowedType, id: string) =>
    queryOptions({
      queryKey: ['follows', type, id],
      queryFn: async ({ signal }) => (await FOLLOWS[type]({ params: { id } }, { signal })).data,
    }),
}
