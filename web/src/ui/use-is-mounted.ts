import { useCallback, useEffect, useRef } from 'react'

/** Returns a function that says whether the component is still on screen, such as when a request ends. */
export function useIsMounted(): () => boolean {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
