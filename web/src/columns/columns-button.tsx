import { ActionIcon, Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { strings } from '#strings/columns.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import { ColumnsPopover, type ColumnsPopoverProps } from './columns-popover.tsx'

const ColumnsPopoverButton = overlayButton('dialog', ColumnsPopover)

/** The columns, which belong to the view, and the row density, stored per user. */
export function ColumnsButton(props: ColumnsPopoverProps) {
  return (
    <ColumnsPopoverButton {...props}>
      {props.isNarrow ? (
        <ActionIcon variant="default" size={30} aria-label={strings.density}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      ) : (
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} aria-hidden />}>
          {strings.columns}
        </Button>
      )}
    </ColumnsPopoverButton>
  )
}
