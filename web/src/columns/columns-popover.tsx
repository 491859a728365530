import { Popover, Stack } from '@mantine/core'
import { strings } from '#strings/columns.ts'
import { AnchoredPopover, type OverlayProps } from '#web/ui/anchored.tsx'
import ColumnChooser from './column-chooser.tsx'
import Density from './density.tsx'
import type { ChosenColumns } from './use-columns.ts'

export interface ColumnsPopoverProps {
  /** Whether records are shown as cards, which have a density only. */
  isNarrow: boolean
  columns: ChosenColumns
}

/** Chooses the columns and the row density. */
export default function ColumnsPopover({
  isNarrow,
  columns,
  ...popover
}: ColumnsPopoverProps & OverlayProps) {
  return (
    <AnchoredPopover
      {...popover}
      position="bottom-end"
      withinPortal
      width={300}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Dropdown aria-label={isNarrow ? strings.density : strings.columns} p="xs">
        <Stack gap="sm">
          {!isNarrow && <ColumnChooser {...columns} />}
          <Density />
        </Stack>
      </Popover.Dropdown>
    </AnchoredPopover>
  )
}
