import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from './paging.ts'
import { type Query, service, type User } from './service.ts'
import { reloadIfUserChanged } from './signed-in-user.ts'

/** The signed-in user, other users, and their access. */
export const accountQueries = {
  me: () =>
    queryOptions({
      queryKey: ['me'],
      queryFn: async ({ signal }) => reloadIfUserChanged((await service.getCurrentUser({}, { signal })).data),
      staleTime: 5 * 60_000,
      retry: false,
    }),
  authenticationStatus: () =>
    queryOptions({
      queryKey: ['authentication-status'],
      queryFn: async ({ signal }) => (await service.getAuthenticationStatus({}, { signal })).data,
      staleTime: 5 * 60_000,
    }),
  users: () =>
    queryOptions({
      queryKey: ['users'],
      queryFn: ({ signal }) => service.listUsers({}, { signal }),
      staleTime: 60_000,
    }),
  /** Every user, for searching. */
  allUsers: () =>
    queryOptions({
      queryKey: ['users', 'all'],
      queryFn: async ({ signal }) => {
        const users: User[] = []
        for (;;) {
          const page = await service.listUsers(
            { querystring: { limit: MAX_PAGE_SIZE, offset: users.length } },
            { signal },
          )
          users.push(...page.data)
          if (!page.pagination.hasMore || page.data.length === 0) return users
        }
      },
      staleTime: 60_000,
    }),
  sessions: () =>
    queryOptions({
      queryKey: ['sessions'],
      queryFn: ({ signal }) => service.listSessions({}, { signal }),
    }),
  keys: () =>
    queryOptions({
      queryKey: ['keys'],
      queryFn: ({ signal }) => service.listKeys({}, { signal }),
    }),
  calendar: () =>
    queryOptions({
      queryKey: ['calendar'],
      queryFn: async ({ signal }) => (await service.getCalendar({}, { signal })).data,
    }),
  backups: () =>
    queryOptions({
      queryKey: ['backups'],
      queryFn: ({ signal }) => service.listBackups({}, { signal }),
    }),
  auditEntries: (querystring: Query<'listAuditEntries'>) =>
    queryOptions({
      queryKey: ['audit', querystring],
      queryFn: ({ signal }) => service.listAuditEntries({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
}
