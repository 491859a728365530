import { useCallback, useSyncExternalStore } from 'react'

const LOOK_EVERY_MS = 250

const secondsUntil = (moment: number): number => Math.max(0, Math.ceil((moment - Date.now()) / 1000))

/**
 * Counts down.
 * @param moment as milliseconds since 1970
 * @returns the seconds until then; 0: it has passed
 */
export function useSecondsUntil(moment: number): number {
  const subscribe = useCallback(
    (told: () => void) => {
      const timer = setInterval(() => {
        told()
        if (secondsUntil(moment) === 0) clearInterval(timer)
      }, LOOK_EVERY_MS)
      return () => clearInterval(timer)
    },
    [moment],
  )
  return useSyncExternalStore(subscribe, () => secondsUntil(moment))
}
