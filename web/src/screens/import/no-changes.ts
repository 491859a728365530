import { strings } from '#strings/import.ts'
import { hasChanges, type ImportReport } from './components/report/report.ts'
import type { ReportTab } from './components/report/report-tabs.ts'

/** Why an import would change nothing, and the list that shows it. */
interface NoChanges {
  text: string
  tab: ReportTab | null
}

/**
 * Says why an import would change nothing; null if it changes something, or if there are several reasons, which the
 * counts of the report give.
 */
export function explainNoChanges(report: ImportReport, mayRestore: boolean): NoChanges | null {
  const { trashed, unchanged, left_out, failed, file } = report
  if (hasChanges(report) || failed > 0) return null
  if (trashed > 0)
    return unchanged > 0
      ? null
      : { text: strings.allTrashed(trashed, left_out === 0, mayRestore), tab: 'trashed' }
  if (unchanged > 0) return left_out > 0 ? null : { text: strings.allUnchanged, tab: 'unchanged' }
  if (left_out > 0) return { text: strings.allLeftOut, tab: 'leftOut' }
  return { text: file.header_row > 0 ? strings.noRowsBelow : strings.noRows, tab: null }
}
