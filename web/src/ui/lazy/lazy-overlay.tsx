import {
  type ComponentType,
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { connection } from '#web/api/connection.ts'
import { waitForService } from '#web/api/service-up.ts'
import type { OverlayProps } from '../anchored.tsx'
import { showNotLoaded } from './show-not-loaded.ts'
import { useKeysWhileLoading } from './use-keys-while-loading.ts'

interface LazyOverlayProps {
  /** The button. */
  children: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>
  /** Set if something else can open it, too. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/**
 * A button with a menu or popover that is loaded when the user points at the button, focuses it, or presses it. Screens
 * appear sooner that way, and a table can have hundreds of them. `preload` loads it in advance.
 */
export function lazyOverlay<Props extends object>(
  role: 'menu' | 'dialog',
  load: () => Promise<{ default: ComponentType<Props & OverlayProps> }>,
) {
  let Loaded: ComponentType<Props & OverlayProps> | undefined
  const keep = async () => {
    Loaded ??= (await load()).default
  }
  const preload = () => {
    // Some browsers keep a failed import until the page is loaded again.
    if (connection.get().isReachable) void keep().catch(() => undefined)
  }
  function LazyOverlay({ children, isOpen, onOpenChange, ...props }: Props & LazyOverlayProps) {
    const id = useId()
    const ref = useRef<HTMLElement>(null)
    const [button, setButton] = useState<HTMLElement | null>(null)
    const [isOpenHere, setOpenHere] = useState(false)
    const opened = isOpen ?? isOpenHere
    const change = onOpenChange ?? setOpenHere
    const Shown = useOnceOpened(opened, () => Loaded, keep, change)
    const isLoading = opened && !Shown
    // Not on mount: a board or a table would render all its buttons twice. The button of an open overlay may be replaced.
    useLayoutEffect(() => {
      if (opened) setButton(ref.current)
    })
    useKeysWhileLoading(isLoading, button, () => change(false))
    return (
      <>
        {cloneElement(children, {
          ref,
          id,
          'aria-haspopup': role,
          'aria-expanded': opened,
          'aria-controls': opened && Shown ? `${id}-dropdown` : undefined,
          'aria-busy': isLoading || children.props['aria-busy'],
          onPointerEnter: preload,
          onFocus: preload,
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
  return Object.assign(LazyOverlay, { preload })
}

/** Loads a part once the service answers. */
async function loadWhenUp(load: () => Promise<void>): Promise<void> {
  if (!connection.get().isReachable) await waitForService()
  await load().catch(() => waitForService().then(load))
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
  const start = useEffectEvent(() => loaded() === undefined && loadWhenUp(load))
  const fail = useEffectEvent(() => {
    showNotLoaded()
    change(false)
  })
  useEffect(() => {
    const loading = isOpen && start()
    if (!loading) return
    // If the user closes it before it is loaded, nothing opens.
    let isWaiting = true
    loading.then(
      () => isWaiting && setLoaded(true),
      () => isWaiting && fail(),
    )
    return () => {
      isWaiting = false
    }
  }, [isOpen])
  return isWanted ? loaded() : undefined
}
