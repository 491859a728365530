import { Group, Text } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import type { Editing } from '../../editing.ts'
import { editOf, isExcluded } from '../../edits.ts'
import { CellInput } from './cell-input.tsx'
import { ExcludeButton } from './exclude-button.tsx'
import type { FieldWords } from './field-words.ts'
import type { Problem } from './problems.ts'
import { RowItem } from './row-list.tsx'

interface ProblemItemProps {
  problem: Problem
  /** The message of the report about it; undefined if it is repaired. */
  message: string | undefined
  words: FieldWords
  editing: Editing | undefined
}

/** A cell that cannot be read, or a row that fails, with what can be done about it. */
export function ProblemItem({ problem, message, words, editing }: ProblemItemProps) {
  const { row, column, name, value } = problem
  const cell = column === null ? null : { row, column, name, value }
  const isOut = editing !== undefined && isExcluded(editing.settings.edits, row)
  const edit = editing && cell ? editOf(editing.settings.edits, cell) : undefined
  const isSettled = editing !== undefined && !editing.isChecking
  return (
    <RowItem
      row={row}
      name={name}
      isExcluded={isOut}
      isActionWide
      action={
        <Group gap={6} wrap="nowrap">
          {cell && editing ? (
            <CellInput cell={cell} edit={edit} isDisabled={isOut} editing={editing} />
          ) : (
            value !== null && (
              <Text size="sm" className="break-anywhere" dir="auto">
                {value}
              </Text>
            )
          )}
          {editing && cell && <ExcludeButton row={{ row, name }} editing={editing} />}
        </Group>
      }
    >
      {edit && isSettled && !isOut && (
        <Text size="xs" c={message === undefined ? 'teal' : 'var(--mantine-color-error)'} dir="auto">
          {message === undefined ? strings.repaired : words.messageOf(message)}
        </Text>
      )}
    </RowItem>
  )
}
