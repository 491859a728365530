import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { strings } from '#strings/companies.ts'
import { saveFile } from '#web/browser/save-file.ts'
import type { CompaniesSearch } from './companies-search.ts'
import { canExportMatching, exportByIds, exportMatching } from './export-csv.ts'
import { fetchMatchingIds } from './fetch-matching-ids.ts'
import { selection } from './selection.ts'

/** Saves the matching or the selected companies as a CSV file. */
export function useExport() {
  return useMutation({
    mutationFn: async (what: CompaniesSearch | 'selected') => {
      const file = await (what === 'selected' ? exportByIds([...selection.ids()]) : fileOf(what))
      saveFile(file, strings.fileName(new Date().toISOString().slice(0, 10)))
    },
    onSuccess: () => notifications.show({ message: strings.exported, color: 'teal' }),
  })
}

async function fileOf(search: CompaniesSearch): Promise<Blob> {
  if (canExportMatching(search)) return exportMatching(search)
  const ids = await fetchMatchingIds(search, { onProgress: () => {}, signal: new AbortController().signal })
  return exportByIds(ids ?? [])
}
