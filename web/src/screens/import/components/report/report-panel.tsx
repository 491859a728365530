import { Group, Text } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import type { Editing } from '../../editing.ts'
import { openColumns } from '../steps/open-formats.ts'
import { ChangedValues } from './changed-values.tsx'
import { EditsPanel } from './edits-panel.tsx'
import type { FieldWords } from './field-words.ts'
import { LeftOutPanel } from './left-out-panel.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { errorsOf, splitWarnings } from './problems.ts'
import { ProblemsPanel } from './problems-panel.tsx'
import { QuestionsPanel } from './questions-panel.tsx'
import type { ImportReport } from './report.ts'
import { listSaver } from './report-lists.ts'
import type { ReportTab } from './report-tabs.ts'
import { RowsPanel } from './rows-panel.tsx'
import { TrashedPanel } from './trashed-panel.tsx'

interface ReportPanelProps {
  tab: ReportTab
  report: ImportReport
  fileName: string
  words: FieldWords
  editing: Editing | undefined
}

/** One list of a report. */
export function ReportPanel({ tab, report, fileName, words, editing }: ReportPanelProps) {
  const save = listSaver(report, fileName, words)
  const help = editing ? strings.help : strings.helpAfter
  switch (tab) {
    case 'preview':
      return <PreviewPanel report={report} words={words} />
    case 'created':
      return (
        <RowsPanel
          label={strings.tabs.created}
          help={help.created}
          rows={report.new_rows}
          omitted={report.new_rows_omitted}
          save={save.created}
          editing={editing}
        />
      )
    case 'changes':
      return (
        <RowsPanel
          label={strings.tabs.changes}
          help={help.changes}
          rows={report.changes}
          omitted={report.changes_omitted}
          save={save.changes}
          editing={editing}
        >
          {(row) => <ChangedValues row={row} words={words} />}
        </RowsPanel>
      )
    case 'unchanged':
      return (
        <RowsPanel
          label={strings.tabs.unchanged}
          help={help.unchanged}
          rows={report.unchanged_rows}
          omitted={report.unchanged_rows_omitted}
          save={save.unchanged}
        />
      )
    case 'trashed':
      return <TrashedPanel report={report} save={save.trashed} editing={editing} />
    case 'questions':
      return <QuestionsPanel report={report} save={save.questions} editing={editing} />
    case 'cells':
      return (
        <ProblemsPanel
          help={help.cells}
          problems={report.bad_cells}
          warnings={splitWarnings(report).unreadable}
          omitted={report.bad_cells_omitted}
          controls={editing && <BadCellsChoice editing={editing} />}
          save={save.cells}
          words={words}
          editing={editing}
          openColumns={openColumns(report)}
        />
      )
    case 'errors':
      return (
        <ProblemsPanel
          help={help.errors}
          problems={errorsOf(report)}
          omitted={report.errors_omitted}
          controls={editing?.settings.badCells === 'fail' && <BadCellsChoice editing={editing} />}
          save={save.errors}
          words={words}
          editing={editing}
        />
      )
    case 'notes':
      return (
        <ProblemsPanel
          help={help.notes}
          problems={[]}
          warnings={splitWarnings(report).notes}
          omitted={0}
          save={save.notes}
          words={words}
        />
      )
    case 'leftOut':
      return <LeftOutPanel report={report} save={save.leftOut} editing={editing} />
    case 'edits':
      return editing ? <EditsPanel editing={editing} /> : null
  }
}

const BAD_CELLS = ['blank', 'fail'] as const

/** Chooses whether a cell that cannot be read is left blank, or its row is left out. */
function BadCellsChoice({ editing: { settings, change } }: { editing: Editing }) {
  return (
    <Group gap="sm">
      <Text size="sm" fw={600}>
        {strings.badCells}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={strings.badCells}
        value={settings.badCells}
        onChange={(badCells) => change((before) => ({ ...before, badCells }))}
        data={BAD_CELLS.map((value) => ({ value, label: strings.badCellsChoices[value] }))}
      />
    </Group>
  )
}
