import { type ReactNode, useEffect, useState } from 'react'

/** Renders its children once the browser is idle after the first screen. */
export function WhenIdle({ children }: { children: ReactNode }) {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    // Safari before 26 has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), 1000)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(() => setIdle(true), { timeout: 3000 })
    return () => cancelIdleCallback(request)
  }, [])
  return isIdle ? children : null
}
