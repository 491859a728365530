import { Button, Text } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import type { Editing } from '../../editing.ts'
import { type EditedCell, type EditedRow, isExcluded, NO_EDITS, undoCell } from '../../edits.ts'
import { ExcludeButton } from './exclude-button.tsx'
import { ReportList } from './report-list.tsx'
import { RowItem, RowList } from './row-list.tsx'

/** The changes of rows, each with a way to undo it. */
export function EditsPanel({ editing }: { editing: Editing }) {
  const { edits } = editing.settings
  const all = [...edits.cells, ...edits.excluded, ...edits.included]
  return (
    <ReportList
      items={all}
      help={strings.editsHelp}
      controls={
        all.length > 1 && (
          <Button
            size="compact-sm"
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => editing.change((settings) => ({ ...settings, edits: NO_EDITS }))}
          >
            {strings.undoAll}
          </Button>
        )
      }
    >
      {(shown) => (
        <RowList label={strings.tabs.edits}>
          {shown.map((edit) =>
            isCell(edit) ? (
              <EditedItem key={`${edit.row} ${edit.column}`} cell={edit} editing={editing} />
            ) : (
              <RowItem
                key={edit.row}
                row={edit.row}
                name={edit.name || strings.unnamed}
                isExcluded={isExcluded(edits, edit.row)}
                action={<ExcludeButton row={edit} editing={editing} />}
              />
            ),
          )}
        </RowList>
      )}
    </ReportList>
  )
}

const isCell = (edit: EditedCell | EditedRow): edit is EditedCell => 'edited' in edit

function EditedItem({ cell, editing }: { cell: EditedCell; editing: Editing }) {
  const { row, column, name, value, edited } = cell
  return (
    <RowItem
      row={row}
      name={name || strings.unnamed}
      action={
        <Button
          size="compact-xs"
          variant="default"
          aria-label={strings.undoEdit(column, row)}
          onClick={() =>
            editing.change((settings) => ({ ...settings, edits: undoCell(settings.edits, cell) }))
          }
        >
          {strings.undo}
        </Button>
      }
    >
      <Text size="xs" c="dimmed" className="break-anywhere">
        {strings.edited(column, value, edited)}
      </Text>
    </RowItem>
  )
}
