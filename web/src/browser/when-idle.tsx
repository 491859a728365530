import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'

/** A screen that keeps loading data does not hold its later parts back any longer. */
const MAX_WAIT_MS = 10_000
const IDLE_TIMEOUT_MS = 3000

interface WhenIdleProps {
  children: ReactNode
  /** Shown until then. */
  fallback?: ReactNode
}

/** Renders its children once the screen and its data are loaded and the browser is idle. */
export function WhenIdle({ children, fallback = null }: WhenIdleProps) {
  const [isIdle, setIdle] = useState(false)
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  const isFetching = useIsFetching() > 0
  const isBusy = isLoading || isFetching
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), MAX_WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (isBusy) return
    // Safari before 26 has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), 1000)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(() => setIdle(true), { timeout: IDLE_TIMEOUT_MS })
    return () => cancelIdleCallback(request)
  }, [isBusy])
  return isIdle ? children : fallback
}
