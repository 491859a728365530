import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import { AnchoredPopover, type OverlayProps } from '#web/ui/anchored.tsx'

interface CellEditorProps {
  editor: (close: () => void) => ReactNode
  close: () => void
}

/** An editor below the cell of a list. */
export function CellEditor({ editor, close, ...popover }: CellEditorProps & OverlayProps) {
  return (
    <AnchoredPopover
      {...popover}
      closeOnEscape={false}
      position="bottom-start"
      width={280}
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Dropdown
        p="xs"
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          // Keys of the list below must not act while someone types here.
          event.stopPropagation()
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) close()
        }}
      >
        {popover.opened && editor(close)}
      </Popover.Dropdown>
    </AnchoredPopover>
  )
}
