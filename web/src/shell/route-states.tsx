import { Button, Container } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { strings } from '#strings/general.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'

export function NotFoundScreen() {
  return (
    <Container component="main" py="xl">
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

/** Shown if a screen fails to load, for example because of a missing script. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    router.invalidate()
  }
  return (
    <Container py="xl">
      <ErrorState error={error} retry={retry} />
      <Button variant="subtle" mt="md" onClick={() => location.reload()}>
        {strings.reload}
      </Button>
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
