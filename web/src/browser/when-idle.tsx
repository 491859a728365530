import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { createStore } from '#web/service/store.ts'

/** A screen that keeps loading data does not hold its later parts back any longer. */
const MAX_WAIT_MS = 10_000
const IDLE_TIMEOUT_MS = 3000

/** Holds for the page from then on: a screen that is opened later does not wait again. */
const page = createStore({ isIdle: false })
const setIdle = () => page.set({ isIdle: true })
// Whoever acts must not find a part missing.
for (const input of ['pointerdown', 'keydown'])
  addEventListener(input, setIdle, { capture: true, passive: true, once: true })

/** Whether the page and its data were loaded and the browser idle once, or someone has acted. */
export function useIsIdle(): boolean {
  const { isIdle } = useSyncExternalStore(page.subscribe, page.get)
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  const isFetching = useIsFetching() > 0
  const isBusy = isLoading || isFetching
  useEffect(() => {
    const timer = setTimeout(setIdle, MAX_WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (isBusy) return
    // Safari before 26 has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(setIdle, 1000)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(setIdle, { timeout: IDLE_TIMEOUT_MS })
    return () => cancelIdleCallback(request)
  }, [isBusy])
  return isIdle
}

interface WhenIdleProps {
  children: ReactNode
  /** Shown until then. */
  fallback?: ReactNode
}

/** Renders its children once the screen and its data are loaded and the browser is idle, or someone acts. */
export const WhenIdle = ({ children, fallback = null }: WhenIdleProps) => (useIsIdle() ? children : fallback)
