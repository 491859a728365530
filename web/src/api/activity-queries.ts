import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { onePage } from './paging.ts'
import { type Query, service } from './service.ts'

const HISTORIES = {
  company: service.getCompanyHistory,
  deal: service.getDealHistory,
  thesis: service.getThesisHistory,
  note: service.getNoteHistory,
  person: service.getPersonHistory,
  task: service.getTaskHistory,
  file: service.getFileHistory,
}

/** Activity records on a page of an action. */
export const ACTION_PAGE_SIZE = 100

/** Activity, actions, and the history of records. */
export const activityQueries = {
  activity: (querystring: Query<'listActivity'>) =>
    queryOptions({
      queryKey: ['activity', querystring],
      queryFn: ({ signal }) => service.listActivity({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  action: (id: string) =>
    queryOptions({
      queryKey: ['actions', 'one', id],
      queryFn: async ({ signal }) => (await service.getAction({ params: { id } }, { signal })).data,
    }),
  /**
   * A page of the activity of an action.
   * @param page starts at 1
   */
  actionActivity: (id: string, page: number) =>
    activityQueries.activity({ action_id: id, ...onePage(page, ACTION_PAGE_SIZE) }),
  /** A preview of undoing an action. */
  undoPreview: (id: string) =>
    queryOptions({
      queryKey: ['actions', 'preview', id],
      queryFn: async ({ signal }) =>
        (await service.undoAction({ params: { id }, body: { dry_run: true } }, { signal })).data,
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),
  /** The changed fields of a record. */
  history: (of: keyof typeof HISTORIES, id: string, querystring: Query<'getCompanyHistory'>) =>
    queryOptions({
      queryKey: ['history', of, id, querystring],
      queryFn: ({ signal }) => HISTORIES[of]({ params: { id }, querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  /** An activity record with whole values. */
  activityRecord: (id: string) =>
    queryOptions({
      queryKey: ['history', 'whole', id],
      queryFn: async ({ signal }) => (await service.getActivity({ params: { id } }, { signal })).data,
    }),
}
