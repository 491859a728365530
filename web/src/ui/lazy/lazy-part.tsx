import { Text } from '@mantine/core'
import { type ComponentType, createElement, use } from 'react'
import { strings } from '#strings/general.ts'
import { connection } from '#web/api/connection.ts'
import { waitForService } from '#web/api/service-up.ts'
import { onIdle } from '#web/browser/when-idle.tsx'

interface LazyPartOptions {
  /**
   * Replaces it if it still cannot be loaded: an update renames the files, and some browsers keep a failed import until
   * the page is reloaded.
   */
  Missing?: ComponentType
  /** Loads it once the page is idle, so that it later appears at once. */
  isPreloaded?: boolean
}

export interface LoadablePart {
  /** Whether it appears at once. */
  isLoaded(): boolean
  /** Loads it. Rejects if that fails. */
  load(): Promise<void>
}

/**
 * A part of a screen that is loaded on demand. If loading fails because the service is down, it is loaded when the
 * service is back, and the rest of the screen stays as it is. For dialogs use `lazy` and `LazyDialog`: a dialog must
 * not open later on its own.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { Missing = NotLoaded, isPreloaded = false }: LazyPartOptions = {},
): ComponentType<Props> & LoadablePart {
  let Loaded: ComponentType<Props> | undefined
  let shown: Promise<void> | undefined
  const keep = async () => {
    Loaded ??= (await load()).default
  }
  const keepOrReplace = () =>
    keep()
      .catch(() => waitForService().then(keep))
      .catch(() => {
        Loaded = Missing as ComponentType<Props>
      })
  // Not preloaded while the service is down: some browsers keep a failed import.
  if (isPreloaded) onIdle(() => void (connection.get().isReachable && keep().catch(() => undefined)))
  function LazyPart(props: Props) {
    if (!Loaded) {
      shown ??= keepOrReplace()
      use(shown)
    }
    return createElement(Loaded as ComponentType<Props>, props)
  }
  return Object.assign(LazyPart, { isLoaded: () => Loaded !== undefined, load: keep })
}

/** For parts that show nothing themselves. */
export const Nothing = () => null

function NotLoaded() {
  return (
    <Text size="sm" c="dimmed" role="alert">
      {strings.chunkFailed}
    </Text>
  )
}
