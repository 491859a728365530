import { Button, Container, Loader, Text } from '@mantine/core'
import { IconCloudOff, IconMapOff } from '@tabler/icons-react'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { strings } from '#strings/general.ts'
import { useConnection } from '#web/api/connection.ts'
import { waitForRecovery } from '#web/api/service-up.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { usePageTitle } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { useSecondsUntil } from '#web/ui/use-seconds-until.ts'
import { ScreenNotLoaded } from './lazy-route-component.ts'

/** Shown inside the shell at unknown addresses. */
export function NotFoundScreen() {
  usePageTitle(strings.notFoundTitle)
  return (
    <Container py="xl">
      <EmptyState
        isScreen
        icon={<IconMapOff />}
        title={strings.notFoundTitle}
        action={<ScreenLink to="/home">{strings.goHome}</ScreenLink>}
      >
        {strings.notFound}
      </EmptyState>
    </Container>
  )
}

/** Shown if a screen fails to render or to load. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    router.invalidate()
  }
  if (error instanceof ScreenNotLoaded) return <OfflineScreen />
  return (
    <Container py="xl">
      <ErrorState isScreen error={error} retry={retry} />
      <Button variant="subtle" mt="md" onClick={() => location.reload()}>
        {strings.reload}
      </Button>
    </Container>
  )
}

/** Shown in place of a screen whose code could not be loaded, until it can be. */
function OfflineScreen() {
  useEffect(() => {
    let isShown = true
    // Some browsers keep a failed import until the page is loaded again, and an update renames the files.
    waitForRecovery().then(() => isShown && location.reload())
    return () => {
      isShown = false
    }
  }, [])
  return (
    <Container py="xl" role="alert">
      <EmptyState
        isScreen
        icon={<IconCloudOff />}
        title={strings.offlineTitle}
        action={<Loader size="sm" type="dots" />}
      >
        {strings.offline}
      </EmptyState>
    </Container>
  )
}

/** Shown inside the shell while a screen loads. */
export const RoutePending = () => (
  <Container py="xl">
    <SkeletonLines lines={6} />
  </Container>
)

/** The same without the shell, whose banner announces a wait for the rate limit. */
export function PagePending() {
  const { retryAt } = useConnection()
  const seconds = useSecondsUntil(retryAt)
  return (
    <Container py="xl">
      {seconds > 0 && <Text role="status">{strings.rateLimited(seconds)}</Text>}
      <SkeletonLines lines={6} />
    </Container>
  )
}
