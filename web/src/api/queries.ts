import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { accountQueries } from './account-queries.ts'
import { activityQueries } from './activity-queries.ts'
import { peopleQueries } from './people-queries.ts'
import { type CompanyQuery, type Query, type SearchStatus, service } from './service.ts'

export type MatchQuery = Query<'listThesisMatches'>

const INDEXING_INTERVAL_MS = 5_000
const INDEXED_INTERVAL_MS = 60_000

/** Whether companies wait to be indexed, or an error needs repair. */
const isIndexing = ({ fault: error, waiting, models: [configured] }: SearchStatus): boolean =>
  [error, configured?.fault ?? null].some((one) => one !== null) || waiting + (configured?.waiting ?? 0) > 0

/**
 * All queries by key. After a change, invalidate by the first word of the key: `queryClient.invalidateQueries({
 * queryKey: ['companies'] })`.
 */
export const queries = {
  ...accountQueries,
  ...activityQueries,
  ...peopleQueries,
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
      staleTime: INDEXED_INTERVAL_MS,
      // The service sends no events about the progress of the index.
      refetchInterval: ({ state: { data } }) =>
        data && isIndexing(data) ? INDEXING_INTERVAL_MS : INDEXED_INTERVAL_MS,
    }),
  /** Records with this text in their name. */
  foundRecords: (q: string) =>
    queryOptions({
      queryKey: ['found-records', q],
      queryFn: async ({ signal }) => (await service.findRecords({ querystring: { q } }, { signal })).data,
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    }),
  company: (id: string) =>
    queryOptions({
      queryKey: ['companies', 'one', id],
      queryFn: async ({ signal }) => (await service.getCompany({ params: { id } }, { signal })).data,
    }),
  people: (querystring: Query<'listPeople'>) =>
    queryOptions({
      queryKey: ['people', 'list', querystring],
      queryFn: ({ signal }) => service.listPeople({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  similarCompanies: (id: string, limit: number) =>
    queryOptions({
      queryKey: ['companies', 'similar', id, limit],
      queryFn: ({ signal }) =>
        service.listSimilarCompanies({ params: { id }, querystring: { limit } }, { signal }),
      staleTime: 5 * 60_000,
    }),
  /** The rows that a company was imported from, as CSV. */
  importedRow: (id: string) =>
    queryOptions({
      queryKey: ['companies', 'source', id],
      queryFn: async ({ signal }) => {
        const file = await service.getSource({ params: { id } }, { signal })
        return new Response(file).text()
      },
      staleTime: 5 * 60_000,
      retry: false,
    }),
  deal: (id: string) =>
    queryOptions({
      queryKey: ['deals', 'one', id],
      queryFn: async ({ signal }) => (await service.getDeal({ params: { id } }, { signal })).data,
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
  listedTheses: (querystring: Query<'listTheses'>) =>
    queryOptions({
      queryKey: ['theses', 'list', ...(Object.keys(querystring).length > 0 ? [querystring] : [])],
      queryFn: ({ signal }) => service.listTheses({ querystring }, { signal }),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
  thesis: (id: string) =>
    queryOptions({
      queryKey: ['theses', 'one', id],
      queryFn: async ({ signal }) => (await service.getThesis({ params: { id } }, { signal })).data,
    }),
  thesisMatches: (id: string, querystring: MatchQuery) =>
    queryOptions({
      queryKey: ['theses', 'matches', id, querystring],
      queryFn: ({ signal }) => service.listThesisMatches({ params: { id }, querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  thesisCriteria: (id: string) =>
    queryOptions({
      queryKey: ['theses', 'criteria', id],
      queryFn: async ({ signal }) => (await service.getThesisCriteria({ params: { id } }, { signal })).data,
    }),
  duplicates: (querystring: Query<'listDuplicates'>) =>
    queryOptions({
      queryKey: ['duplicates', 'list', querystring],
      queryFn: ({ signal }) => service.listDuplicates({ querystring }, { signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  /** Companies like one that is being typed. */
  duplicateCheck: (querystring: Query<'checkDuplicates'>) =>
    queryOptions({
      queryKey: ['duplicates', 'check', querystring],
      queryFn: async ({ signal }) =>
        (await service.checkDuplicates({ querystring }, { signal })).data.possible_duplicates,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  /** A preview of merging companies into one. */
  mergePreview: (id: string, from: string[]) =>
    queryOptions({
      queryKey: ['duplicates', 'merge', id, from],
      queryFn: async ({ signal }) =>
        (await service.mergeCompanies({ params: { id }, body: { from, dry_run: true } }, { signal })).data,
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),
  trash: (querystring: Query<'listTrash'>) =>
    queryOptions({
      queryKey: ['trash', querystring],
      queryFn: ({ signal }) => service.listTrash({ querystring }, { signal }),
      staleTime: 0,
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
