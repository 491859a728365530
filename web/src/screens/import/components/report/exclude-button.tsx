import { Button } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import type { Editing } from '../../editing.ts'
import { type EditedRow, excludeRow, includeRow, isExcluded } from '../../edits.ts'

interface ExcludeButtonProps {
  row: EditedRow
  /** Whether the row is left out at present. By default, only a person leaves one out. */
  isOut?: boolean
  editing: Editing
}

/** Leaves a row out of the import, or includes it. */
export function ExcludeButton({
  row,
  editing,
  isOut = isExcluded(editing.settings.edits, row.row),
}: ExcludeButtonProps) {
  const toggle = () =>
    editing.change((settings) => ({
      ...settings,
      edits: (isOut ? includeRow : excludeRow)(settings.edits, row),
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
