import { Menu, type MenuProps, Popover, type PopoverProps } from '@mantine/core'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useState } from 'react'

/** The props that a menu or popover gets from its button. */
export interface OverlayProps {
  /** The id of the button. */
  id: string
  button: HTMLElement
  opened: boolean
  onChange: (opened: boolean) => void
}

/** A menu below a button that is rendered elsewhere. Its child is a `Menu.Dropdown`. */
export function AnchoredMenu({ button, opened, children, ...props }: OverlayProps & MenuProps) {
  const isMounted = useIsMounted()
  return (
    <Menu {...props} opened={opened && isMounted}>
      <Menu.Target>
        <Anchor element={button} />
      </Menu.Target>
      {children}
    </Menu>
  )
}

/** The same for a popover, with a `Popover.Dropdown`. */
export function AnchoredPopover({ button, opened, children, ...props }: OverlayProps & PopoverProps) {
  const isMounted = useIsMounted()
  return (
    <Popover {...props} opened={opened && isMounted}>
      <Popover.Target>
        <Anchor element={button} />
      </Popover.Target>
      {children as ReactNode}
    </Popover>
  )
}

/** Mantine returns the focus only from overlays that open after they were mounted. */
function useIsMounted(): boolean {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return isMounted
}

/** Stands for an element that is rendered elsewhere. */
function Anchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}
