import { useEffect, useState } from 'react'
import { useIsIdle } from '#web/browser/when-idle.tsx'

/** Keeps later parts from competing with the rows. */
const DELAY_MS = 100

/** Elsewhere, keys can wait until the page is idle. */
const HAS_KEYBOARD = matchMedia('(hover: hover)').matches

/** Whether rows have been on screen, even if other parts still load; or the user has acted, or the page was idle. */
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
