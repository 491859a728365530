import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { service } from '#web/service/service.ts'
import { uploadFetch } from '#web/service/upload-fetch.ts'
import type { Mapping } from './mapping.ts'

/** The query of an import. */
export const importQuery = (mapping: Mapping): { mapping?: string } =>
  Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}

/**
 * Checks the whole file with a dry run. Changing the mapping cancels the previous run.
 * @param fileKey distinguishes files
 */
export function useDryRun(file: File, fileKey: number, mapping: Mapping) {
  const [settled] = useDebouncedValue(mapping, 250)
  const [share, setShare] = useState(0)
  const check = useQuery({
    queryKey: ['import-check', fileKey, settled],
    queryFn: async ({ signal }) => {
      setShare(0)
      const fetch = uploadFetch(({ sent, total }) => setShare(total > 0 ? sent / total : 0))
      const querystring = { dry_run: true, ...importQuery(settled) }
      return (await service.importCompanies({ querystring, body: file }, { signal, fetch })).data
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const isCurrent = settled === mapping && check.isSuccess && !check.isPlaceholderData
  return { check, share, isCurrent, isChecking: settled !== mapping || check.isFetching }
}
