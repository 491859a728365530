import { useDisclosure } from '@mantine/hooks'
import { type KeyboardEvent, useRef } from 'react'

/**
 * Opens and closes the navigation where it covers the screen. Escape closes it; the screen closes it, too, when it gets
 * the focus, which would otherwise be on something that is covered.
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
