import { Popover, Stack } from '@mantine/core'
import { strings } from '#strings/columns.ts'
import { AnchoredPopover, type OverlayProps } from '#web/ui/anchored.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { useIsCompact, usePreferences } from '#web/ui/use-preferences.ts'
import { ColumnChooser } from './column-chooser.tsx'
import type { ChosenColumns } from './use-columns.ts'

export interface ColumnsPopoverProps {
  /** Whether records are shown as cards, which have a density only. */
  isNarrow: boolean
  columns: ChosenColumns
}

/** Chooses the columns and the row density. */
export function ColumnsPopover({ isNarrow, columns, ...popover }: ColumnsPopoverProps & OverlayProps) {
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

/** The choice of row density. */
function Density() {
  const { change } = usePreferences()
  const isCompact = useIsCompact()
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={strings.density}
      value={isCompact ? 'compact' : 'comfortable'}
      onChange={(view_mode) => change({ view_mode })}
      data={[
        { value: 'comfortable', label: strings.comfortable },
        { value: 'compact', label: strings.compact },
      ]}
    />
  )
}
