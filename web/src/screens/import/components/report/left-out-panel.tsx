import { Text } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import type { Editing } from '../../editing.ts'
import { isExcluded } from '../../edits.ts'
import { ExcludeButton } from './exclude-button.tsx'
import type { ImportReport } from './report.ts'
import { ReportList } from './report-list.tsx'
import { RowItem, RowList } from './row-list.tsx'

interface LeftOutPanelProps {
  report: ImportReport
  save: () => void
  editing?: Editing | undefined
}

/** Rows that are no companies, or that were left out on purpose, with the reasons. */
export function LeftOutPanel({ report, save, editing }: LeftOutPanelProps) {
  return (
    <ReportList
      items={report.left_out_rows}
      omitted={report.left_out_rows_omitted}
      help={strings.leftOutHelp}
      save={save}
    >
      {(shown) => (
        <RowList label={strings.tabs.leftOut}>
          {shown.map(({ row, text, reason, can_include }) => (
            <RowItem
              key={row}
              row={row}
              name={text || strings.unnamed}
              action={
                editing &&
                (can_include || isExcluded(editing.settings.edits, row)) && (
                  <ExcludeButton row={{ row, name: text }} isOut editing={editing} />
                )
              }
            >
              <Text size="xs" c="dimmed">
                {reason}
              </Text>
            </RowItem>
          ))}
        </RowList>
      )}
    </ReportList>
  )
}
