import { Text } from '@mantine/core'
import { type ComponentType, createElement, use } from 'react'
import { strings } from '#strings/general.ts'
import { onIdle } from '#web/browser/when-idle.tsx'
import { serviceIsUp } from '#web/service/service-up.ts'

interface LazyPartOptions {
  /**
   * Takes its place if it still cannot be loaded: an update renames the files, and some browsers keep a failed import
   * until the page is loaded again.
   */
  Missing?: ComponentType
  /** Loads it once the page is idle, so that whoever opens it does not wait. */
  isPreloaded?: boolean
}

/**
 * A part of a screen that is loaded on demand, and rendered without a wait from then on. If that fails because the service
 * is down, it is loaded when the service is back, and the rest of the screen stays as it is. For dialogs use `lazy` and
 * `LazyDialog`: they must not open later on their own.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { Missing = NotLoaded, isPreloaded = false }: LazyPartOptions = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const keep = async () => {
    const part = await load()
      .catch(() => serviceIsUp().then(load))
      .catch(() => ({ default: Missing as ComponentType<Props> }))
    Loaded = part.default
  }
  const start = () => {
    loading ??= keep()
    return loading
  }
  if (isPreloaded) onIdle(start)
  return function LazyPart(props) {
    if (!Loaded) use(start())
    return createElement(Loaded as ComponentType<Props>, props)
  }
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
