import { Text } from '@mantine/core'
import { type ComponentType, lazy } from 'react'
import { strings } from '#strings/general.ts'
import { serviceIsUp } from '#web/service/service-up.ts'

/**
 * A part of a screen that is loaded on demand. If that fails because the service is down, it is loaded when the service is
 * back, and the rest of the screen stays as it is. For dialogs use `lazy` and `LazyDialog`: they must not open later on
 * their own.
 * @param Missing takes its place if it still cannot be loaded: an update renames the files, and some browsers keep a
 * failed import until the page is loaded again
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Missing: ComponentType = NotLoaded,
) =>
  lazy(() =>
    load()
      .catch(() => serviceIsUp().then(load))
      .catch(() => ({ default: Missing as ComponentType<Props> })),
  )

/** For parts that show nothing themselves. */
export const Nothing = () => null

function NotLoaded() {
  return (
    <Text size="sm" c="dimmed" role="alert">
      {strings.chunkFailed}
    </Text>
  )
}
