import { Anchor, Group, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { strings } from '#strings/import.ts'
import { useCan } from '#web/api/use-can.ts'
import { explainNoChanges } from '../no-changes.ts'
import { goToColumns, goToFormat, goToTab } from '../sections.ts'
import { countBadCells } from './report/problems.ts'
import { hasChanges, type ImportReport } from './report/report.ts'
import type { ReportTab } from './report/report-tabs.ts'

interface Remark {
  text: string
  /** Goes to the section with the details; null if there is none. */
  go: (() => void) | null
  isMinor?: boolean
  isDone?: boolean
}

interface ImportRemarksProps {
  report: ImportReport
  /** The columns whose formats ask for an answer. */
  openColumns: readonly string[]
  /** The number of questions without an answer. */
  openQuestions: number
  showTab: (tab: ReportTab) => void
}

/** Remarks on the import beside its button. Each one leads to the section with the details. */
export function ImportRemarks({ report, openColumns, openQuestions, showTab }: ImportRemarksProps) {
  const mayRestore = useCan('delete')
  const { unchanged, trashed, restored, conflicts, failed, left_out, ignored_columns } = report
  const noChanges = explainNoChanges(report, mayRestore)
  const [openColumn] = openColumns
  const show = (tab: ReportTab) => () => {
    showTab(tab)
    goToTab(tab)
  }
  const cells = countBadCells(report)
  const possible: (Remark | false | null)[] = [
    noChanges && { text: noChanges.text, go: noChanges.tab && show(noChanges.tab) },
    openColumn !== undefined && {
      text: strings.openColumns(openColumns.length),
      go: () => goToFormat(openColumn),
    },
    openQuestions > 0 && { text: strings.openQuestions(openQuestions), go: show('questions') },
    cells > 0 && { text: strings.badCells(cells), go: show('cells') },
    failed > 0 && { text: strings.failedRows(failed), go: show('errors') },
    trashed > 0 &&
      restored === 0 &&
      noChanges?.tab !== 'trashed' && { text: strings.trashedRows(trashed), go: show('trashed') },
    conflicts > 0 &&
      openQuestions === 0 && {
        text: strings.answeredQuestions(conflicts),
        go: show('questions'),
        isMinor: true,
        isDone: true,
      },
    left_out > 0 &&
      noChanges?.tab !== 'leftOut' && {
        text: strings.leftOutRows(left_out),
        go: show('leftOut'),
        isMinor: true,
      },
    unchanged > 0 &&
      noChanges?.tab !== 'unchanged' && {
        text: strings.unchangedRows(unchanged),
        go: show('unchanged'),
        isMinor: true,
      },
    ignored_columns.length > 0 && {
      text: strings.ignoredColumns(ignored_columns.length),
      go: goToColumns,
      isMinor: true,
    },
  ]
  const remarks = possible.filter((remark) => remark !== false && remark !== null)
  // In a narrow window, the button says the rest.
  const mayHide = hasChanges(report)
  if (remarks.length === 0) return strings.allRead
  return (
    <Group gap="4px 14px">
      {remarks.map(({ text, go, isMinor = false, isDone = false }) =>
        go === null ? (
          <Text key={text} span inherit fw={500}>
            {text}
          </Text>
        ) : (
          <Anchor
            key={text}
            component="button"
            type="button"
            size="sm"
            ta="start"
            onClick={go}
            {...(isMinor ? { c: 'dimmed' } : { fw: 500 })}
            {...(isMinor && mayHide && { visibleFrom: 'sm' })}
          >
            {isDone && (
              <IconCheck size={14} aria-hidden style={{ verticalAlign: '-2px', marginInlineEnd: 4 }} />
            )}
            {text}
          </Anchor>
        ),
      )}
    </Group>
  )
}
