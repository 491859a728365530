import { type RefObject, useEffect, useRef } from 'react'

/** Whether the focus is nowhere in particular, so that moving it interrupts no one. */
export const isFocusFree = (): boolean => {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.id === 'content'
}

/** Focuses an element when something else closes that had the focus. If the user has moved on, the focus stays. */
export function useFocusWhenClosed(isOpen: boolean, target: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen && isFocusFree()) target.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, target])
}

/** Returns the focus to where it was before the component, unless it has gone elsewhere. */
export function useReturnFocus(): void {
  const before = useRef(document.activeElement)
  useEffect(() => {
    const opener = before.current
    return () => {
      setTimeout(() => {
        const isLost = document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement) opener.focus()
      })
    }
  }, [])
}
