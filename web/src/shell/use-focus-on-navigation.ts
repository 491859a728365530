import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Begins another screen at its beginning: what had the focus is gone, and a screen reader tells of the new one.
 * @param id of the element that screens are in
 */
export function useFocusOnNavigation(id: string): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    const hasMoved = before.current !== undefined && before.current !== path
    before.current = path
    if (!hasMoved || document.activeElement?.closest('[role="dialog"]')) return
    document.getElementById(id)?.focus({ preventScroll: true })
  }, [id, path])
}
