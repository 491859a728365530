import { Button, Container, Loader } from '@mantine/core'
import { IconCloudOff, IconMapOff } from '@tabler/icons-react'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { strings } from '#strings/general.ts'
import { isServiceUp } from '#web/service/service-up.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { ScreenNotLoaded } from './lazy-route-component.ts'

const POLL_INTERVAL_MS = 2000

/** Shown inside the shell at unknown addresses. */
export function NotFoundScreen() {
  return (
    <Container py="xl">
      <EmptyState
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
  if (error instanceof ScreenNotLoaded) return <OfflineScreen error={error} retry={retry} />
  return (
    <Container py="xl">
      <ErrorState error={error} retry={retry} />
      <Button variant="subtle" mt="md" onClick={() => location.reload()}>
        {strings.reload}
      </Button>
    </Container>
  )
}

/** Shown in place of a screen whose code could not be loaded, until it can be. */
function OfflineScreen({ error, retry }: { error: ScreenNotLoaded; retry: () => void }) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isShown = true
    const check = async () => {
      const isUp = await isServiceUp()
      if (!isShown) return
      if (!isUp) timer = setTimeout(check, POLL_INTERVAL_MS)
      // Some browsers keep a failed import until the page is loaded again, and an update renames the files.
      else
        error.load().then(
          () => isShown && retry(),
          () => location.reload(),
        )
    }
    void check()
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [error, retry])
  return (
    <Container py="xl" role="alert">
      <EmptyState
        icon={<IconCloudOff />}
        title={strings.offlineTitle}
        action={<Loader size="sm" type="dots" />}
      >
        {strings.offline}
      </EmptyState>
    </Container>
  )
}

export function RoutePending() {
  return (
    <Container py="xl">
      <SkeletonLines lines={6} />
    </Container>
  )
}
