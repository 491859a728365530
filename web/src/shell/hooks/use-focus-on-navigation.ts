import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Moves the focus to the content after navigation, so that screen readers start at the new screen. If the screen has
 * already moved the focus, it stays there.
 * @param id of the element that contains the screens
 */
export function useFocusOnNavigation(id: string): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    const hasMoved = before.current !== undefined && before.current !== path
    before.current = path
    if (!hasMoved || document.activeElement?.closest('[role="dialog"]')) return
    const content = document.getElementById(id)
    if (!content?.contains(document.activeElement)) content?.focus({ preventScroll: true })
  }, [id, path])
}
