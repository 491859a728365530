import { type ReactNode, useEffect, useState } from 'react'

/** What can wait until the first screen is there and the browser has nothing else to do. */
export function WhenIdle({ children }: { children: ReactNode }) {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    // Safari has no requestIdleCallback before 26.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), 1000)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(() => setIdle(true), { timeout: 3000 })
    return () => cancelIdleCallback(request)
  }, [])
  return isIdle ? children : null
}
