import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type FileRecord, type Query, service } from './service.ts'

/** Reading the text of a file ends in the background, and no change of a record announces it. */
const POLL_MS = 2_000

/** The newest versions, which are all of nearly every file. */
const MAX_VERSIONS = 200

const isUnfinished = ({ scan_state, text_state }: FileRecord): boolean =>
  scan_state === 'pending' || (text_state === 'pending' && scan_state !== 'infected')

const pollWhile = (files: readonly FileRecord[] | undefined): number | false =>
  files?.some(isUnfinished) ? POLL_MS : false

/** Files, their versions, and their text. */
export const fileQueries = {
  files: (querystring: Query<'listFiles'>) =>
    queryOptions({
      queryKey: ['files', 'list', querystring],
      queryFn: ({ signal }) => service.listFiles({ querystring }, { signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => pollWhile(state.data?.data),
    }),
  file: (id: string) =>
    queryOptions({
      queryKey: ['files', 'one', id],
      queryFn: async ({ signal }) => (await service.getFile({ params: { id } }, { signal })).data,
      refetchInterval: ({ state }) => pollWhile(state.data && [state.data]),
    }),
  versions: (id: string) =>
    queryOptions({
      queryKey: ['files', 'versions', id],
      queryFn: async ({ signal }) =>
        (await service.listFileVersions({ params: { id }, querystring: { limit: MAX_VERSIONS } }, { signal }))
          .data,
    }),
  /** The text of one page of the newest version. */
  text: (id: string, version: number, page: number) =>
    queryOptions({
      queryKey: ['files', 'text', id, version, page],
      queryFn: async ({ signal }) =>
        (await service.getFileText({ params: { id }, querystring: { page } }, { signal })).data,
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
    }),
}
