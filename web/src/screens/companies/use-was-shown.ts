import { useEffect, useState } from 'react'
import { useIsIdle } from '#web/browser/when-idle.tsx'

/** So that what follows the rows does not compete with them. */
const DELAY_MS = 100

/** Whether rows have been on screen, whatever else still loads; or sooner, if someone acts or the page was idle. */
export function useWasShown(isShown: boolean): boolean {
  const isIdle = useIsIdle()
  const [wasShown, setShown] = useState(isShown)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setShown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [isShown])
  return wasShown || isIdle
}
