import { useDisclosure } from '@mantine/hooks'
import { type KeyboardEvent, useRef } from 'react'

/**
 * Opens and closes the navigation where it covers the screen. Escape closes it. Focusing the screen also closes it, so that
 * the focus is never behind it.
 */
export function useNarrowNavigation() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const button = useRef<HTMLButtonElement>(null)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || !isOpen || event.defaultPrevented) return
    // Menus and dialogs are not inside the element.
    if (!event.currentTarget.contains(event.target as Node)) return
    event.preventDefault()
    close()
    button.current?.focus()
  }
  return { isOpen, toggle, close, button, onKeyDown }
}
