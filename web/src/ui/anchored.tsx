import { Menu, type MenuProps, Popover, type PopoverProps } from '@mantine/core'
import {
  type ComponentType,
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** The props that a menu or popover gets from its button. */
export interface OverlayProps {
  /** The id of the button. */
  id: string
  button: HTMLElement
  opened: boolean
  onChange: (opened: boolean) => void
}

interface OverlayButtonProps {
  /** The button. */
  children: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>
  /** Set if something else can open it, too. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/**
 * Makes a component of a button and its menu or popover, which is rendered from its first opening on: a table can have
 * hundreds of them.
 */
export function overlayButton<Props extends object>(
  role: 'menu' | 'dialog',
  Overlay: ComponentType<Props & OverlayProps>,
) {
  return function OverlayButton({ children, isOpen, onOpenChange, ...props }: Props & OverlayButtonProps) {
    const id = useId()
    const ref = useRef<HTMLElement>(null)
    const [button, setButton] = useState<HTMLElement | null>(null)
    const [isOpenHere, setOpenHere] = useState(false)
    const opened = isOpen ?? isOpenHere
    const change = onOpenChange ?? setOpenHere
    // Not on mount: a board or a table would render all its buttons twice. The button of an open overlay may be replaced.
    useLayoutEffect(() => {
      if (opened) setButton(ref.current)
    })
    return (
      <>
        {cloneElement(children, {
          ref,
          id,
          'aria-haspopup': role,
          'aria-expanded': opened,
          'aria-controls': opened ? `${id}-dropdown` : undefined,
          onClick: (event) => {
            children.props.onClick?.(event)
            change(!opened)
          },
          // Until the focus has moved into the overlay, Escape would be the screen's.
          onKeyDown: (event) => {
            children.props.onKeyDown?.(event)
            if (!opened || event.key !== 'Escape') return
            event.preventDefault()
            change(false)
          },
        })}
        {button && (
          <Overlay
            {...(props as unknown as Props)}
            id={id}
            button={button}
            opened={opened}
            onChange={change}
          />
        )}
      </>
    )
  }
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
