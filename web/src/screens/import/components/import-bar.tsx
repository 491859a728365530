import { Button, Group, Progress, Text } from '@mantine/core'
import { strings } from '#strings/import.ts'
import classes from './import-bar.module.css'
import { ImportRemarks } from './import-remarks.tsx'
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
  /** The number of questions without an answer. */
  openQuestions: number
  showTab: (tab: ReportTab) => void
  start: () => void
  /** Whether an import of this file has already been tried. */
  isAgain: boolean
}

/** The expected result of the import, and the button that starts it. Stays in view while the settings change. */
export function ImportBar({
  report,
  isChecking,
  hasFailed,
  share,
  openColumns,
  openQuestions,
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
            report &&
            !hasFailed && (
              <ImportRemarks
                report={report}
                openColumns={openColumns}
                openQuestions={openQuestions}
                showTab={showTab}
              />
            )
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
