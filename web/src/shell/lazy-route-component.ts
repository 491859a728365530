import type { lazyRouteComponent as original } from '@tanstack/react-router'
import { type ComponentType, createElement, use, useDeferredValue, useEffect } from 'react'

/** The code of a screen could not be loaded: the service is down, or was updated. */
export class ScreenNotLoaded extends Error {
  /** Loads it again. Rejects if that fails too. */
  readonly load: () => Promise<unknown>

  constructor(load: () => Promise<unknown>, cause: unknown) {
    super('The screen could not be loaded.', { cause })
    this.load = load
  }
}

/**
 * A screen that is loaded on demand. The router's own function reloads the page if loading fails, which loses the page
 * while the service is down.
 */
export const lazyRouteComponent = lazyScreen as unknown as typeof original

/** Set when the first screen of a visit is on the page. */
let hasStarted = false

function lazyScreen<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  let component: ComponentType | undefined
  let failure: { error: unknown } | undefined
  let loading: Promise<void> | undefined
  const loadComponent = async () => {
    const screen = await load()
    component = screen[name]
    failure = undefined
  }
  const preload = () => {
    loading ??= loadComponent().catch((error) => {
      failure = { error }
      loading = undefined
    })
    return loading
  }
  const retry = () => {
    failure = undefined
    return loadComponent()
  }
  function LazyScreen(props: object) {
    // The first time, the shell and the screen render in short slices that let input through.
    const isRendered = useDeferredValue(true, hasStarted)
    useEffect(() => {
      hasStarted ||= isRendered
    }, [isRendered])
    if (failure) throw new ScreenNotLoaded(retry, failure.error)
    if (!component) use(preload())
    return isRendered ? createElement(component as ComponentType, props) : null
  }
  LazyScreen.preload = async () => {
    if (!component) await preload()
  }
  return LazyScreen
}
