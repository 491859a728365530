import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client } from '#src/client/client.ts'
import { type CompanyQuery, service, type User } from './service.ts'
import { reloadIfUserChanged } from './signed-in-user.ts'

type Query<K extends keyof Client> = NonNullable<
  NonNullable<Parameters<Client[K]>[0]> extends { querystring?: infer Q } ? Q : never
>

/** The limit of the service for one page. */
const MAX_PAGE_SIZE = 1000

/**
 * All queries by key. After a change, invalidate by the first word of the key: `queryClient.invalidateQueries({
 * queryKey: ['companies'] })`.
 */
export const queries = {
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
  auditEntries: (querystring: Query<'listAuditEntries'>) =>
    queryOptions({
      queryKey: ['audit', querystring],
      queryFn: ({ signal }) => service.listAuditEntries({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  stats: () =>
    queryOptions({
      queryKey: ['stats'],
      queryFn: async ({ signal }) => (await service.getStats({}, { signal })).data,
    }),
  companies: (querystring: CompanyQuery) =>
    queryOptions({
      queryKey: ['companies', 'list', querystring],
      queryFn: ({ signal }) => service.listCompanies({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  companyFacets: (querystring: Query<'getCompanyFacets'>) =>
    queryOptions({
      queryKey: ['companies', 'facets', querystring],
      queryFn: async ({ signal }) => (await service.getCompanyFacets({ querystring }, { signal })).data,
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
  searchStatus: () =>
    queryOptions({
      queryKey: ['search-status'],
      queryFn: async ({ signal }) => (await service.getSearchStatus({}, { signal })).data,
      staleTime: 60_000,
    }),
  company: (id: string) =>
    queryOptions({
      queryKey: ['companies', 'one', id],
      queryFn: async ({ signal }) => (await service.getCompany({ params: { id } }, { signal })).data,
    }),
  similarCompanies: (id: string, limit: number) =>
    queryOptions({
      queryKey: ['companies', 'similar', id, limit],
      queryFn: ({ signal }) =>
        service.listSimilarCompanies({ params: { id }, querystring: { limit } }, { signal }),
      staleTime: 5 * 60_000,
    }),
  /** The source file of a company, as text. */
  sourceFile: (id: string) =>
    queryOptions({
      queryKey: ['companies', 'source', id],
      queryFn: async ({ signal }) => {
        const file = await service.getSource({ params: { id } }, { signal })
        return new Response(file).text()
      },
      staleTime: 5 * 60_000,
      retry: false,
    }),
  deals: (querystring: Query<'listDeals'> = {}) =>
    queryOptions({
      queryKey: ['deals', 'list', querystring],
      queryFn: ({ signal }) => service.listDeals({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  dealStages: (querystring: Query<'getDealStages'> = {}) =>
    queryOptions({
      queryKey: ['deals', 'stages', querystring],
      queryFn: async ({ signal }) => (await service.getDealStages({ querystring }, { signal })).data,
      placeholderData: keepPreviousData,
    }),
  theses: () =>
    queryOptions({
      queryKey: ['theses', 'list'],
      queryFn: ({ signal }) => service.listTheses({}, { signal }),
      staleTime: 60_000,
    }),
  thesis: (id: string) =>
    queryOptions({
      queryKey: ['theses', 'one', id],
      queryFn: async ({ signal }) => (await service.getThesis({ params: { id } }, { signal })).data,
    }),
  activity: (querystring: Query<'listActivity'>) =>
    queryOptions({
      queryKey: ['activity', querystring],
      queryFn: ({ signal }) => service.listActivity({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  bulkActions: (querystring: Query<'listBulkActions'> = {}) =>
    queryOptions({
      queryKey: ['bulk-actions', 'list', querystring],
      queryFn: ({ signal }) => service.listBulkActions({ querystring }, { signal }),
    }),
  bulkAction: (id: string) =>
    queryOptions({
      queryKey: ['bulk-actions', 'one', id],
      queryFn: async ({ signal }) => (await service.getBulkAction({ params: { id } }, { signal })).data,
    }),
  bulkActionCompanies: (id: string, querystring: Query<'listBulkActionCompanies'>) =>
    queryOptions({
      queryKey: ['bulk-actions', 'companies', id, querystring],
      queryFn: ({ signal }) => service.listBulkActionCompanies({ params: { id }, querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  feedback: (querystring: Query<'listFeedback'>) =>
    queryOptions({
      queryKey: ['feedback', querystring],
      queryFn: ({ signal }) => service.listFeedback({ querystring }, { signal }),
    }),
}
