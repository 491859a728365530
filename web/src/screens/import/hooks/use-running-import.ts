import { useQuery } from '@tanstack/react-query'
import { pastImports } from '#web/api/import-queries.ts'
import { onePage } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import type { PastImport } from '#web/api/service.ts'

export const PAGE_SIZE = 10
export const RUNNING_INTERVAL_MS = 2000

/** My running import of a file with this name; undefined until the service lists it. */
export function useRunningImport(fileName: string, isUploaded: boolean): PastImport | undefined {
  const { data: me } = useQuery(queries.me())
  const { data: imports } = useQuery({
    ...pastImports(onePage(1, PAGE_SIZE)),
    enabled: isUploaded,
    refetchInterval: RUNNING_INTERVAL_MS,
  })
  return imports?.data.find(
    ({ state, file_name, user_email }) =>
      state === 'running' && file_name === fileName && user_email === (me?.email ?? null),
  )
}

/** The share of the file that is imported, 0 to 1; undefined if the size of the file is unknown. */
export const importedShare = ({ bytes_read, file_bytes }: PastImport): number | undefined =>
  file_bytes ? Math.min(1, bytes_read / file_bytes) : undefined
