import { type RefObject, useEffect, useRef } from 'react'

/** Whether the focus is nowhere in particular, so that moving it interrupts no one. */
export const isFocusFree = (): boolean => {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.id === 'content'
}

let isKeyLast = false
addEventListener('keydown', () => (isKeyLast = true), true)
addEventListener('pointerdown', () => (isKeyLast = false), true)

/** Focuses an element in a list, with a ring only if the last input came from the keyboard. The list scrolls itself. */
export const focusQuietly = (element: HTMLElement): void =>
  element.focus({ preventScroll: true, ...(!isKeyLast && { focusVisible: false }) })

/** Focuses an element when something else closes that had the focus. If the user has moved on, the focus stays. */
export function useFocusWhenClosed(isOpen: boolean, target: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen && isFocusFree()) target.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, target])
}

/** Elements that take the focus temporarily. */
const LAYERS = '[role=dialog], [role=menu], [role=listbox]'

/** The element on the screen itself that last had the focus. */
let lastOnScreen: HTMLElement | null = null
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest(LAYERS)) lastOnScreen = target
})
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  if (!(target instanceof HTMLElement) || target !== lastOnScreen || relatedTarget !== null) return
  // Only after the event is it known whether the element has been removed.
  setTimeout(() => {
    if (target !== lastOnScreen || target === document.activeElement) return
    // The user has left it: it was neither removed nor disabled, and no other window has the focus.
    if (target.isConnected && !target.matches(':disabled') && document.hasFocus()) lastOnScreen = null
  })
})

/**
 * The element that last had the focus on the screen itself, if it has been removed since and the user has not moved on.
 */
export const removedFocus = (): HTMLElement | null =>
  lastOnScreen && !lastOnScreen.isConnected && isFocusFree() ? lastOnScreen : null

/**
 * Returns the focus to the element that had it before the component, unless it has moved elsewhere. If that element is
 * gone, like a menu item, or disabled during its request, the focus goes to the element on the screen that last had it,
 * or to the screen itself.
 */
export function useReturnFocus(): void {
  const before = useRef(document.activeElement)
  useEffect(() => {
    const opener = before.current
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) returnFocusTo(opener)
      })
    }
  }, [])
}

/**
 * Focuses an element; if it cannot have the focus, the element on the screen that last had it, or the screen itself.
 */
export function returnFocusTo(opener: Element | null): void {
  for (const element of [opener, lastOnScreen, document.getElementById('content')])
    if (element instanceof HTMLElement && tryFocus(element)) return
}

/** Focuses an element. Returns whether it has taken the focus. */
function tryFocus(element: HTMLElement): boolean {
  if (element === document.body) return false
  element.focus({ preventScroll: element.id === 'content' })
  return document.activeElement === element
}

/** The same as `useReturnFocus` for a part of a component that comes and goes. */
export function ReturnFocus(): null {
  useReturnFocus()
  return null
}
