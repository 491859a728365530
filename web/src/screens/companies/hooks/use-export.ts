import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { strings } from '#strings/companies.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { service } from '#web/api/service.ts'
import { saveFile } from '#web/browser/save-file.ts'
import { CountChanged, requireExpected } from '#web/bulk-actions/target.ts'
import type { Filter } from '#web/filters/tree.ts'
import { type CompaniesSearch, isSemanticSearch, keywordsOf } from '../companies-search.ts'
import { canExportMatching, exportByIds, exportMatching } from '../export-csv.ts'
import { fetchMatchingIds } from '../fetch-matching-ids.ts'
import { isLong } from '../list-query.ts'
import { MAX_SELECTED, selection } from '../selection.ts'

/** Saves the matching or the selected companies as a CSV file. */
export function useExport() {
  return useMutation({
    mutationFn: async (what: CompaniesSearch | 'selected') => {
      const file = await (what === 'selected' ? fileOfSelected() : fileOf(what))
      saveFile(file, strings.fileName(new Date().toISOString().slice(0, 10)))
    },
    onSuccess: () => notifications.show({ message: strings.exported, color: 'teal' }),
  })
}

async function fileOfSelected(): Promise<Blob> {
  const target = selection.target()
  if ('ids' in target) return exportByIds(target.ids)
  const { filter, search, expect } = target
  try {
    await requireExpected(target)
  } catch (error) {
    if (!(error instanceof CountChanged)) throw error
    selection.adopt(target, error)
    throw new UserFacingError(strings.exportCountChanged(error.count, expect))
  }
  return fileOf({ ...(filter && { filter }), ...(search && { q: search }) })
}

async function fileOf(search: CompaniesSearch): Promise<Blob> {
  if (canExportMatching(search)) return exportMatching(search)
  if (isLong(search.filter) && !isSemanticSearch(search)) await requireExportable(search.filter, search)
  return exportByIds((await fetchMatchingIds(search)) ?? [])
}

/**
 * The ids are read only up to the limit of the selection.
 * @throws UserFacingError if more companies match
 */
async function requireExportable(filter: Filter, search: CompaniesSearch): Promise<void> {
  const body = { filter, ...keywordsOf(search), limit: 0 }
  const { total } = (await service.queryCompanies({ body })).pagination
  if (total > MAX_SELECTED) throw new UserFacingError(strings.exportLimit(MAX_SELECTED))
}
