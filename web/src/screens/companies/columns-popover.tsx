import { Popover, Stack } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import { AnchoredPopover, type OverlayProps } from '#web/ui/anchored.tsx'
import type { Columns } from '#web/views/column-state.ts'
import ColumnChooser from './column-chooser.tsx'
import type { Column } from './columns.tsx'
import Density from './density.tsx'
import type { ColumnActions } from './use-column-actions.ts'

export interface ColumnsPopoverProps {
  isNarrow: boolean
  shown: Columns
  known: ReadonlyMap<string, Column>
  actions: ColumnActions
}

/** Chooses the columns and the row density. */
export default function ColumnsPopover({
  isNarrow,
  shown,
  known,
  actions,
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
          {!isNarrow && <ColumnChooser shown={shown} known={known} actions={actions} />}
          <Density />
        </Stack>
      </Popover.Dropdown>
    </AnchoredPopover>
  )
}
