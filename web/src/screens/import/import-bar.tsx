import { Anchor, Button, Group, Progress, Text } from '@mantine/core'
import { strings } from '#strings/import.ts'
import classes from './import-bar.module.css'
import { goToColumns, goToFormat, goToTab } from './places.ts'
import { countBadCells } from './report/problems.ts'
import { hasChanges, type ImportReport } from './report/report.ts'
import type { ReportTab } from './report/report-tabs.ts'

interface ImportBarProps {
  /** The outcome of the latest dry run; null if there is none yet. */
  report: ImportReport | null
  isChecking: boolean
  hasFailed: boolean
  /** The share of the file that has been sent, 0 to 1. */
  share: number
  /** The columns whose formats ask for an answer. */
  openColumns: readonly string[]
  showTab: (tab: ReportTab) => void
  start: () => void
  /** Whether an import of this file has already been tried. */
  isAgain: boolean
}

/** What the import will do, and the button that starts it. Stays in view while the settings change. */
export function ImportBar({
  report,
  isChecking,
  hasFailed,
  share,
  openColumns,
  showTab,
  start,
  isAgain,
}: ImportBarProps) {
  const mayStart = report !== null && hasChanges(report)
  return (
    <div className={classes.bar}>
      {isChecking && (
        <Progress
          className={classes.progress}
          value={isSending(share) ? share * 100 : 100}
          animated={!isSending(share)}
          size={3}
          radius={0}
          aria-label={strings.checking}
        />
      )}
      <Group justify="space-between" gap="sm">
        <Text size="sm" component="div" role="status" style={{ flex: '1 1 14rem' }}>
          {isChecking ? (
            <Text span inherit c="dimmed">
              {isSending(share) ? strings.checkingShare(share) : strings.checking}
            </Text>
          ) : (
            report && !hasFailed && <Remarks report={report} openColumns={openColumns} showTab={showTab} />
          )}
        </Text>
        <Button onClick={start} disabled={isChecking || hasFailed || !mayStart}>
          {labelOf(report, isAgain)}
        </Button>
      </Group>
    </div>
  )
}

const isSending = (share: number): boolean => share > 0 && share < 1

function labelOf(report: ImportReport | null, isAgain: boolean): string {
  if (!report) return strings.importNothing
  if (!hasChanges(report)) return strings.nothingToImport
  if (isAgain) return strings.importAgain
  return strings.import(report)
}

type RemarksProps = Pick<ImportBarProps, 'openColumns' | 'showTab'> & { report: ImportReport }

/** What the button does not say. Each remark leads to the place that shows more. */
function Remarks({ report, openColumns, showTab }: RemarksProps) {
  const { unchanged, conflicts, failed, left_out, ignored_columns } = report
  const [openColumn] = openColumns
  const show = (tab: ReportTab) => () => {
    showTab(tab)
    goToTab(tab)
  }
  const cells = countBadCells(report)
  const remarks = [
    openColumn !== undefined && {
      text: strings.openColumns(openColumns.length),
      go: () => goToFormat(openColumn),
    },
    conflicts > 0 && { text: strings.openQuestions(conflicts), go: show('questions') },
    cells > 0 && { text: strings.badCells(cells), go: show('cells') },
    failed > 0 && { text: strings.failedRows(failed), go: show('errors') },
    left_out > 0 && { text: strings.leftOutRows(left_out), go: show('leftOut'), isMinor: true },
    unchanged > 0 && { text: strings.unchangedRows(unchanged), go: show('unchanged'), isMinor: true },
    ignored_columns.length > 0 && {
      text: strings.ignoredColumns(ignored_columns.length),
      go: goToColumns,
      isMinor: true,
    },
  ].filter((remark) => remark !== false)
  const isSettled = remarks.every(({ isMinor }) => isMinor)
  if (isSettled && unchanged > 0 && !hasChanges(report)) return strings.allUnchanged
  if (remarks.length === 0) return strings.allRead
  return (
    <Group gap="4px 14px">
      {remarks.map(({ text, go, isMinor = false }) => (
        <Anchor
          key={text}
          component="button"
          type="button"
          size="sm"
          onClick={go}
          {...(isMinor ? { c: 'dimmed', visibleFrom: 'sm' } : { fw: 500 })}
        >
          {text}
        </Anchor>
      ))}
    </Group>
  )
}
