import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client } from '#src/client/client.ts'
import { type CompanyQuery, serviceWith } from './service.ts'
import { onlyOfThisPage } from './signed-in.ts'

type Query<K extends keyof Client> = NonNullable<
  NonNullable<Parameters<Client[K]>[0]> extends { querystring?: infer Q } ? Q : never
>

/**
 * Everything that is read from the service, by key. Who changes something invalidates by the first word of the key:
 * `queryClient.invalidateQueries({ queryKey: ['companies'] })`.
 */
export const queries = {
  me: () =>
    queryOptions({
      queryKey: ['me'],
      queryFn: async ({ signal }) => onlyOfThisPage((await serviceWith({ signal }).getCurrentUser()).data),
      staleTime: 5 * 60_000,
      retry: false,
    }),
  authenticationStatus: () =>
    queryOptions({
      queryKey: ['authentication-status'],
      queryFn: async ({ signal }) => (await serviceWith({ signal }).getAuthenticationStatus()).data,
      staleTime: 5 * 60_000,
    }),
  users: () =>
    queryOptions({
      queryKey: ['users'],
      queryFn: ({ signal }) => serviceWith({ signal }).listUsers(),
      staleTime: 60_000,
    }),
  stats: () =>
    queryOptions({
      queryKey: ['stats'],
      queryFn: async ({ signal }) => (await serviceWith({ signal }).getStats()).data,
    }),
  companies: (querystring: CompanyQuery) =>
    queryOptions({
      queryKey: ['companies', 'list', querystring],
      queryFn: ({ signal }) => serviceWith({ signal }).listCompanies({ querystring }),
      placeholderData: keepPreviousData,
    }),
  companyFacets: (querystring: Query<'getCompanyFacets'>) =>
    queryOptions({
      queryKey: ['companies', 'facets', querystring],
      queryFn: async ({ signal }) => (await serviceWith({ signal }).getCompanyFacets({ querystring })).data,
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
  companySearch: (querystring: Query<'searchCompanies'>) =>
    queryOptions({
      queryKey: ['companies', 'search', querystring],
      queryFn: ({ signal }) => serviceWith({ signal }).searchCompanies({ querystring: querystring as never }),
      placeholderData: keepPreviousData,
    }),
  searchStatus: () =>
    queryOptions({
      queryKey: ['search-status'],
      queryFn: async ({ signal }) => (await serviceWith({ signal }).getSearchStatus()).data,
      staleTime: 60_000,
    }),
  company: (id: string) =>
    queryOptions({
      queryKey: ['companies', 'one', id],
      queryFn: async ({ signal }) => (await serviceWith({ signal }).getCompany({ params: { id } })).data,
    }),
  similarCompanies: (id: string, limit: number) =>
    queryOptions({
      queryKey: ['companies', 'similar', id, limit],
      queryFn: ({ signal }) =>
        serviceWith({ signal }).listSimilarCompanies({ params: { id }, querystring: { limit } }),
      staleTime: 5 * 60_000,
    }),
  /** The first of the file that a company was imported from; null: there is none. */
  sourceFile: (id: string) =>
    queryOptions({
      queryKey: ['companies', 'source', id],
      queryFn: async ({ signal }) => {
        const file = await serviceWith({ signal }).getSource({ params: { id } })
        return new Response(file).text()
      },
      staleTime: 5 * 60_000,
      retry: false,
    }),
  deals: (querystring: Query<'listDeals'> = {}) =>
    queryOptions({
      queryKey: ['deals', 'list', querystring],
      queryFn: ({ signal }) => serviceWith({ signal }).listDeals({ querystring }),
      placeholderData: keepPreviousData,
    }),
  dealStages: (querystring: Query<'getDealStages'> = {}) =>
    queryOptions({
      queryKey: ['deals', 'stages', querystring],
      queryFn: async ({ signal }) => (await serviceWith({ signal }).getDealStages({ querystring })).data,
      placeholderData: keepPreviousData,
    }),
  theses: () =>
    queryOptions({
      queryKey: ['theses', 'list'],
      queryFn: ({ signal }) => serviceWith({ signal }).listTheses(),
      staleTime: 60_000,
    }),
  thesis: (id: string) =>
    queryOptions({
      queryKey: ['theses', 'one', id],
      queryFn: async ({ signal }) => (await serviceWith({ signal }).getThesis({ params: { id } })).data,
    }),
  activity: (querystring: Query<'listActivity'>) =>
    queryOptions({
      queryKey: ['activity', querystring],
      queryFn: ({ signal }) => serviceWith({ signal }).listActivity({ querystring }),
      placeholderData: keepPreviousData,
    }),
  bulkActions: (querystring: Query<'listBulkActions'> = {}) =>
    queryOptions({
      queryKey: ['bulk-actions', 'list', querystring],
      queryFn: ({ signal }) => serviceWith({ signal }).listBulkActions({ querystring }),
    }),
  bulkAction: (id: string) =>
    queryOptions({
      queryKey: ['bulk-actions', 'one', id],
      queryFn: async ({ signal }) => (await serviceWith({ signal }).getBulkAction({ params: { id } })).data,
    }),
  bulkActionCompanies: (id: string, querystring: Query<'listBulkActionCompanies'>) =>
    queryOptions({
      queryKey: ['bulk-actions', 'companies', id, querystring],
      queryFn: ({ signal }) =>
        serviceWith({ signal }).listBulkActionCompanies({ params: { id }, querystring }),
      placeholderData: keepPreviousData,
    }),
  feedback: (querystring: Query<'listFeedback'>) =>
    queryOptions({
      queryKey: ['feedback', querystring],
      queryFn: ({ signal }) => serviceWith({ signal }).listFeedback({ querystring }),
    }),
}
