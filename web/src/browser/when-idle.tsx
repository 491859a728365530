import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** How long a screen that keeps loading data can hold back its later parts. */
const MAX_WAIT_MS = 10_000
const IDLE_TIMEOUT_MS = 3000
/** Safari before 26 has no requestIdleCallback. */
const WAIT_WITHOUT_CALLBACK_MS = 1000

/** Stays true for the rest of the visit: a screen that is opened later does not wait again. */
let isPageIdle = false
const listeners = new Set<() => void>()

function notifyIdle(): void {
  if (isPageIdle) return
  isPageIdle = true
  for (const listener of listeners) listener()
}

// Once the user acts, every part must be there.
for (const input of ['pointerdown', 'keydown'])
  addEventListener(input, notifyIdle, { capture: true, passive: true, once: true })

let holdCount = 0
let checkIdle = (): void => {}

/**
 * The page does not count as idle until the returned function is called. A large screen renders in slices, and the
 * browser may be idle between them.
 */
export function holdIdle(): () => void {
  holdCount += 1
  checkIdle()
  return () => {
    holdCount -= 1
    checkIdle()
  }
}

/** Detects when the first screen and its data are loaded and the browser is idle. Called once, when the app starts. */
export function watchIdle(router: AnyRouter, queryClient: QueryClient): void {
  let cancel: (() => void) | undefined
  checkIdle = () => {
    const { isLoading, resolvedLocation } = router.state
    const isBusy = isLoading || !resolvedLocation || holdCount > 0 || queryClient.isFetching() > 0
    if (!isBusy) cancel ??= requestIdle(() => startTransition(notifyIdle))
    else {
      cancel?.()
      cancel = undefined
    }
  }
  const unsubscribe = [
    router.subscribe('onBeforeLoad', checkIdle),
    router.subscribe('onResolved', checkIdle),
    queryClient.getQueryCache().subscribe(checkIdle),
  ]
  listeners.add(() => {
    cancel?.()
    checkIdle = () => {}
    for (const end of unsubscribe) end()
  })
  setTimeout(notifyIdle, MAX_WAIT_MS)
}

let previousRun = new Promise<void>((resolve) => {
  listeners.add(resolve)
})

/**
 * Runs a function once the page and its data are loaded, or the user has acted, and the browser is idle. Several
 * functions take turns, so that input can come between them.
 */
export function onIdle(run: () => void): void {
  const runWhenIdle = () =>
    new Promise<void>((resolve) => {
      requestIdle(() => {
        run()
        resolve()
      })
    })
  previousRun = previousRun.then(runWhenIdle)
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

/** Whether the page and its data were loaded and the browser has been idle once, or the user has acted. */
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

/** Renders its children once the screen and its data are loaded and the browser is idle, or the user acts. */
export const WhenIdle = ({ children, fallback = null }: WhenIdleProps) => (useIsIdle() ? children : fallback)
