import { Button } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import type { Editing } from '../editing.ts'
import { type ExcludedRow, excludeRow, includeRow, isExcluded } from '../edits.ts'

/** Leaves a row out of the import, or takes it in again. */
export function ExcludeButton({ row, editing }: { row: ExcludedRow; editing: Editing }) {
  const isOut = isExcluded(editing.settings.edits, row.row)
  const toggle = () =>
    editing.change((settings) => ({
      ...settings,
      edits: isOut ? includeRow(settings.edits, row.row) : excludeRow(settings.edits, row),
    }))
  return (
    <Button
      size="compact-xs"
      variant={isOut ? 'default' : 'subtle'}
      color="gray"
      style={{ flexShrink: 0 }}
      aria-label={(isOut ? strings.includeRow : strings.excludeRow)(row.row, row.name)}
      onClick={toggle}
    >
      {isOut ? strings.include : strings.exclude}
    </Button>
  )
}
