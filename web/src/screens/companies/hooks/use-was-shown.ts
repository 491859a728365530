import { useEffect, useState } from 'react'
import { useIsIdle } from '#web/browser/when-idle.tsx'

/** So that what follows the rows does not compete with them. */
const DELAY_MS = 100

/** Elsewhere, keys can wait until the page is idle. */
const HAS_KEYBOARD = matchMedia('(hover: hover)').matches

/** Whether rows have been on screen, whatever else still loads; or that someone has acted, or the page was idle. */
export function useWasShown(isShown: boolean): boolean {
  const isIdle = useIsIdle()
  const [wasShown, setShown] = useState(isShown && HAS_KEYBOARD)
  useEffect(() => {
    if (!isShown || !HAS_KEYBOARD) return
    const timer = setTimeout(() => setShown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [isShown])
  return wasShown || isIdle
}
