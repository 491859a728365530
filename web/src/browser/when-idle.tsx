import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** A screen that keeps loading data does not hold its later parts back any longer. */
const MAX_WAIT_MS = 10_000
const IDLE_TIMEOUT_MS = 3000
/** Safari before 26 has no requestIdleCallback. */
const WAIT_WITHOUT_CALLBACK_MS = 1000

/** Holds for the page from then on: a screen that is opened later does not wait again. */
let isPageIdle = false
const listeners = new Set<() => void>()

function notifyIdle(): void {
  if (isPageIdle) return
  isPageIdle = true
  for (const listener of listeners) listener()
}

// Whoever acts must not find a part missing.
for (const input of ['pointerdown', 'keydown'])
  addEventListener(input, notifyIdle, { capture: true, passive: true, once: true })

/** Notes when the first screen and its data are loaded and the browser is idle. Called once, when the app starts. */
export function watchIdle(router: AnyRouter, queryClient: QueryClient): void {
  let cancel: (() => void) | undefined
  const look = () => {
    const { isLoading, resolvedLocation } = router.state
    const isBusy = isLoading || !resolvedLocation || queryClient.isFetching() > 0
    if (!isBusy) cancel ??= requestIdle(() => startTransition(notifyIdle))
    else {
      cancel?.()
      cancel = undefined
    }
  }
  const unsubscribe = [
    router.subscribe('onBeforeLoad', look),
    router.subscribe('onResolved', look),
    queryClient.getQueryCache().subscribe(look),
  ]
  listeners.add(() => {
    cancel?.()
    for (const end of unsubscribe) end()
  })
  setTimeout(notifyIdle, MAX_WAIT_MS)
}

/** @returns a function that cancels it */
function requestIdle(run: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const request = requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS })
    return () => cancelIdleCallback(request)
  }
  const timer = setTimeout(run, WAIT_WITHOUT_CALLBACK_MS)
  return () => clearTimeout(timer)
}

/** Whether the page and its data were loaded and the browser idle once, or someone has acted. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(isPageIdle)
  useEffect(() => {
    const update = () => setIdle(isPageIdle)
    listeners.add(update)
    update()
    return () => {
      listeners.delete(update)
    }
  }, [])
  return isIdle
}

interface WhenIdleProps {
  children: ReactNode
  /** Shown until then. */
  fallback?: ReactNode
}

/** Renders its children once the screen and its data are loaded and the browser is idle, or someone acts. */
export const WhenIdle = ({ children, fallback = null }: WhenIdleProps) => (useIsIdle() ? children : fallback)
