import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { strings } from '#strings/companies.ts'
import type { CompaniesSearch } from './companies-search.ts'
import { canExportMatching, exportByIds, exportMatching, saveFile } from './export-csv.ts'
import { gatherIds } from './gather-ids.ts'
import { selection } from './selection.ts'

/** More than this are asked for by their filters, when these say the same. */
const FEW = 1000

/** Saves companies as a CSV file: those that match, or those that are selected. */
export function useExport() {
  return useMutation({
    mutationFn: async (what: CompaniesSearch | 'selected') => {
      const file = what === 'selected' ? await fileOfSelected() : await fileOf(what)
      saveFile(file, strings.fileName(new Date().toISOString().slice(0, 10)))
    },
    onSuccess: () => notifications.show({ message: strings.exported, color: 'teal' }),
  })
}

async function fileOf(search: CompaniesSearch): Promise<Blob> {
  if (canExportMatching(search)) return exportMatching(search)
  const ids = await gatherIds(search, { told: () => {}, signal: new AbortController().signal })
  return exportByIds(ids ?? [])
}

function fileOfSelected(): Promise<Blob> {
  const ids = [...selection.ids()]
  const whole = selection.whole()
  return ids.length > FEW && whole && canExportMatching(whole) ? exportMatching(whole) : exportByIds(ids)
}
