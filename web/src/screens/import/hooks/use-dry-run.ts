import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { delayBeforeCheck } from '../check-delay.ts'
import type { HeldType, ImportedFile, ImportReport } from '../components/report/report.ts'
import { sendImport, UnmatchedColumns } from '../send-import.ts'
import { formFields, type ImportSettings } from '../settings.ts'

/** The answer to a dry run. */
export interface Check {
  /** What the file was read as. */
  holds: HeldType
  /** The settings that it is about. */
  fields: Record<string, string>
  file: ImportedFile
  /** null if the user must first choose the column of the name. */
  report: ImportReport | null
}

const KEPT_MS = 60_000

/**
 * Checks the whole file with a dry run, and again after each change. Only one runs at a time: a change cancels it.
 * @param fileKey distinguishes files
 */
export function useDryRun(file: File, fileKey: number, settings: ImportSettings) {
  const wanted = JSON.stringify({ holds: settings.holds, fields: formFields(settings) })
  const settled = useSettled(wanted)
  const [share, setShare] = useState(0)
  const query = useQuery({
    queryKey: ['import-check', fileKey, settled],
    queryFn: async ({ signal }): Promise<Check> => {
      setShare(0)
      const { holds, fields }: Pick<Check, 'holds' | 'fields'> = JSON.parse(settled)
      try {
        const report = await sendImport(
          file,
          holds,
          { dry_run: 'true', ...fields },
          { signal, onProgress: ({ sent, total }) => setShare(total > 0 ? sent / total : 0) },
        )
        return { holds, fields, file: report.file, report }
      } catch (error) {
        if (error instanceof UnmatchedColumns) return { holds, fields, file: error.file, report: null }
        throw error
      }
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    retry: false,
  })
  const check = useLatest(query.data)
  return {
    /** The latest answer. It stays until the next one arrives. */
    check,
    error: query.error,
    again: () => query.refetch(),
    share,
    isChecking: settled !== wanted || query.isFetching,
  }
}

/** After a failed check, the previous answer stays, so that the change can be undone. */
function useLatest(data: Check | undefined): Check | undefined {
  const [latest, setLatest] = useState(data)
  useEffect(() => {
    if (data) setLatest(data)
  }, [data])
  return data ?? latest
}

/** The value, once it has not changed for a while. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  const starts = useRef<number[]>([])
  useEffect(() => {
    if (value === settled) return
    const timer = setTimeout(
      () => {
        starts.current.push(Date.now())
        setSettled(value)
      },
      delayBeforeCheck(starts.current, Date.now()),
    )
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
