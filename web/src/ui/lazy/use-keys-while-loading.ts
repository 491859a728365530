import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '#web/keyboard/use-keyboard.ts'

/** Keys that are not shortcuts, or that the browser needs. */
const LET_THROUGH = /^(?:Tab|Shift|F\d+)$/

/**
 * Intercepts keys meant for an overlay while it loads, which would otherwise act on the screen below. Escape and a
 * press outside the button cancel the overlay.
 */
export function useKeysWhileLoading(isLoading: boolean, button: HTMLElement | null, cancel: () => void) {
  const onCancel = useEffectEvent(cancel)
  useEffect(() => {
    if (!isLoading) return
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || LET_THROUGH.test(event.key)) return
      if (event.key !== 'Escape' && event.target instanceof Element && isTyping(event.target)) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') onCancel()
    }
    const point = (event: PointerEvent) => {
      if (!(event.target instanceof Node && button?.contains(event.target))) onCancel()
    }
    document.addEventListener('keydown', press, true)
    document.addEventListener('pointerdown', point, true)
    return () => {
      document.removeEventListener('keydown', press, true)
      document.removeEventListener('pointerdown', point, true)
    }
  }, [isLoading, button])
}
