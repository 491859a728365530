import { useCallback, useSyncExternalStore } from 'react'

const TICK_MS = 250

const secondsUntil = (moment: number): number => Math.max(0, Math.ceil((moment - Date.now()) / 1000))

/**
 * Counts down to a moment.
 * @param moment in milliseconds since 1970
 * @returns the seconds left; 0 once it has passed
 */
export function useSecondsUntil(moment: number): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const timer = setInterval(() => {
        listener()
        if (secondsUntil(moment) === 0) clearInterval(timer)
      }, TICK_MS)
      return () => clearInterval(timer)
    },
    [moment],
  )
  return useSyncExternalStore(subscribe, () => secondsUntil(moment))
}
