import { Popover, UnstyledButton } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import { type ReactNode, Suspense } from 'react'
import classes from './cell-popover.module.css'

export interface CellOpening {
  /** Opens the editor from outside, for example with a key. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

interface CellPopoverProps extends CellOpening {
  label: string
  isBusy: boolean
  /** What the cell shows. */
  children: ReactNode
  /** Renders the editor, which is loaded when it opens. */
  editor: (close: () => void) => ReactNode
  /** Called when the editor closes, except with Escape. */
  onLeave?: () => void
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
  const leave = () => {
    onLeave?.()
    close()
  }
  return (
    <Popover
      opened={opened}
      onChange={(next) => (next ? setOpened(true) : leave())}
      closeOnEscape={false}
      position="bottom-start"
      width={280}
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.cell}
          aria-label={label}
          aria-busy={isBusy}
          // A click or Enter on the row would open the record.
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === ' ') event.stopPropagation()
          }}
          onClick={(event) => {
            event.stopPropagation()
            if (opened) leave()
            else setOpened(true)
          }}
        >
          {children}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown
        p="xs"
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          // Keys of the list below must not act while someone types here.
          event.stopPropagation()
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) close()
        }}
      >
        <Suspense>{opened && editor(close)}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
