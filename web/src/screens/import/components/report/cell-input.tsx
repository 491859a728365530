import { ActionIcon, TextInput } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { strings } from '#strings/import-report.ts'
import type { Editing } from '../../editing.ts'
import { type Cell, type EditedCell, editCell, undoCell } from '../../edits.ts'

interface CellInputProps {
  cell: Cell
  /** The new value, if the cell was edited. */
  edit: EditedCell | undefined
  isDisabled: boolean
  editing: Editing
}

/** The value of a cell. Enter saves it and goes to the next one; Escape returns to the saved one. */
export function CellInput({ cell, edit, isDisabled, editing }: CellInputProps) {
  const saved = edit?.edited ?? cell.value ?? ''
  const [text, setText] = useState(saved)
  useEffect(() => setText(saved), [saved])
  const save = () => {
    if (text !== saved)
      editing.change((settings) => ({ ...settings, edits: editCell(settings.edits, cell, text) }))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') setText(saved)
    if (event.key !== 'Enter') return
    save()
    nextCell(event.currentTarget)?.select()
  }
  return (
    <TextInput
      size="xs"
      style={{ flex: '1 1 13.5rem' }}
      data-cell
      aria-label={strings.valueOf(cell.column, cell.row)}
      {...(cell.value === null && { placeholder: strings.enterValue })}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={onKeyDown}
      disabled={isDisabled}
      dir="auto"
      rightSection={
        edit && (
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={strings.undoEdit(cell.column, cell.row)}
            onClick={() =>
              editing.change((settings) => ({ ...settings, edits: undoCell(settings.edits, cell) }))
            }
          >
            <IconArrowBackUp size={14} aria-hidden />
          </ActionIcon>
        )
      }
    />
  )
}

/** The next cell that can be edited on the page. */
function nextCell(input: HTMLInputElement): HTMLInputElement | undefined {
  const all = [...document.querySelectorAll<HTMLInputElement>('input[data-cell]:enabled')]
  return all[all.indexOf(input) + 1]
}
