import { Popover, UnstyledButton } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { AnchoredPopover, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import classes from './cell-popover.module.css'

interface CellEditorProps {
  editor: (close: () => void) => ReactNode
  close: () => void
}

/** An editor below the cell of a list. */
function CellEditor({ editor, close, ...popover }: CellEditorProps & OverlayProps) {
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

const CellEditorButton = overlayButton('dialog', CellEditor)

export interface CellOpening {
  /** Opens the editor from outside, for example with a key. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

interface CellPopoverProps extends CellOpening {
  label: string
  isBusy: boolean
  /** The content of the cell. */
  children: ReactNode
  /** Renders the editor while it is open. */
  editor: (close: () => void) => ReactNode
  /** Called when the editor is about to close, except with Escape. Returns whether it may. */
  onLeave?: () => boolean
}

/** A cell of a list that opens an editor below it. Escape closes it without saving. */
export function CellPopover({
  label,
  isBusy,
  children,
  editor,
  onLeave,
  isOpen,
  onOpenChange,
}: CellPopoverProps) {
  const [opened, setOpened] = useUncontrolled<boolean>({
    ...(isOpen !== undefined && { value: isOpen }),
    defaultValue: false,
    ...(onOpenChange && { onChange: onOpenChange }),
  })
  const close = () => setOpened(false)
  const change = (isOpening: boolean) => {
    if (!isOpening && onLeave?.() === false) return
    setOpened(isOpening)
  }
  return (
    <CellEditorButton editor={editor} close={close} isOpen={opened} onOpenChange={change}>
      <UnstyledButton
        className={classes.cell}
        aria-label={label}
        aria-busy={isBusy}
        // A click or Enter on the row would open the record.
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ' ') event.stopPropagation()
        }}
        onClick={(event) => event.stopPropagation()}
      >
        {children}
      </UnstyledButton>
    </CellEditorButton>
  )
}
