import type { Edits } from '../../edits.ts'
import { countBadCells, splitWarnings } from './problems.ts'
import type { ImportReport } from './report.ts'

export const REPORT_TABS = [
  ...(['preview', 'created', 'changes', 'unchanged', 'trashed'] as const),
  ...(['questions', 'cells', 'errors', 'notes', 'leftOut', 'edits'] as const),
]
export type ReportTab = (typeof REPORT_TABS)[number]

/** Tabs that are there even if they are empty. */
const ALWAYS: readonly ReportTab[] = ['created', 'changes']

/** The number of rows or cells of each tab, for those that have any. */
export function tabCounts(report: ImportReport, edits: Edits | undefined): Map<ReportTab, number> {
  const counts: Record<ReportTab, number> = {
    preview: report.preview.length,
    created: report.created,
    changes: report.updated,
    unchanged: report.unchanged,
    trashed: report.trashed,
    questions: report.conflicts,
    cells: countBadCells(report),
    notes: splitWarnings(report).notes.reduce((sum, { count }) => sum + count, 0),
    errors: Math.max(report.failed, report.errors.length),
    leftOut: report.left_out,
    edits: edits ? edits.cells.length + edits.excluded.length + edits.included.length : 0,
  }
  return new Map(
    REPORT_TABS.filter((tab) => counts[tab] > 0 || ALWAYS.includes(tab)).map((tab) => [tab, counts[tab]]),
  )
}
