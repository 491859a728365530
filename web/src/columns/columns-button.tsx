import { ActionIcon, Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { strings } from '#strings/columns.ts'
import { lazyOverlay } from '#web/ui/lazy/lazy-overlay.tsx'
import type { ColumnsPopoverProps } from './columns-popover.tsx'

const ColumnsPopover = lazyOverlay('dialog', () => import('./columns-popover.tsx'))

/** The columns, which belong to the view, and the row density, stored per user. */
export function ColumnsButton(props: ColumnsPopoverProps) {
  return (
    <ColumnsPopover {...props}>
      {props.isNarrow ? (
        <ActionIcon variant="default" size={30} aria-label={strings.density}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      ) : (
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} aria-hidden />}>
          {strings.columns}
        </Button>
      )}
    </ColumnsPopover>
  )
}
