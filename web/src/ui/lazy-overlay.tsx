import { notifications } from '@mantine/notifications'
import {
  type ComponentType,
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
  useEffect,
  useId,
  useState,
} from 'react'
import { strings } from '#strings/general.ts'
import type { OverlayProps } from './anchored.tsx'

interface LazyOverlayProps {
  /** The button. */
  children: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>
  /** Set if something else can open it, too. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/**
 * A button with a menu or popover that is loaded when someone points at the button, focuses it, or presses it: screens
 * appear sooner without, and a table can have hundreds of them.
 */
export function lazyOverlay<Props extends object>(
  role: 'menu' | 'dialog',
  load: () => Promise<{ default: ComponentType<Props & OverlayProps> }>,
) {
  let Loaded: ComponentType<Props & OverlayProps> | undefined
  const preload = async () => {
    Loaded ??= (await load()).default
  }
  return function LazyOverlay({ children, isOpen, onOpenChange, ...props }: Props & LazyOverlayProps) {
    const id = useId()
    const [button, setButton] = useState<HTMLElement | null>(null)
    const [isOpenHere, setOpenHere] = useState(false)
    const opened = isOpen ?? isOpenHere
    const change = onOpenChange ?? setOpenHere
    const Shown = useOnceOpened(opened, () => Loaded, preload, change)
    const tryPreload = () => void preload().catch(() => undefined)
    return (
      <>
        {cloneElement(children, {
          ref: setButton,
          id,
          'aria-haspopup': role,
          'aria-expanded': opened,
          'aria-controls': opened ? `${id}-dropdown` : undefined,
          onPointerEnter: tryPreload,
          onFocus: tryPreload,
          onClick: (event) => {
            children.props.onClick?.(event)
            change(!opened)
          },
        })}
        {Shown && button && (
          <Shown {...(props as unknown as Props)} id={id} button={button} opened={opened} onChange={change} />
        )}
      </>
    )
  }
}

/** The component from its first opening on, once it is loaded. */
function useOnceOpened<C>(
  isOpen: boolean,
  loaded: () => C | undefined,
  load: () => Promise<void>,
  change: (isOpen: boolean) => void,
): C | undefined {
  const [isWanted, setWanted] = useState(isOpen)
  const [, setLoaded] = useState(loaded() !== undefined)
  if (isOpen && !isWanted) setWanted(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each opening
  useEffect(() => {
    if (!isOpen || loaded()) return
    load().then(
      () => setLoaded(true),
      () => {
        notifications.show({
          color: 'red',
          title: strings.loadFailed,
          message: strings.chunkFailed,
          autoClose: false,
        })
        change(false)
      },
    )
  }, [isOpen])
  return isWanted ? loaded() : undefined
}
