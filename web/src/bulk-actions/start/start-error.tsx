import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react'
import { DependencyUnavailable, TooManyRequests } from '#src/client/errors.ts'
import { strings } from '#strings/bulk-actions.ts'
import { useConnection } from '#web/api/connection.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { useSecondsUntil } from '#web/ui/use-seconds-until.ts'

export function StartError({ error }: { error: unknown }) {
  const title = error instanceof DependencyUnavailable ? strings.unavailable : strings.notStarted
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      {error instanceof TooManyRequests ? strings.rateLimited : errorMessage(error)}
    </Alert>
  )
}

/** Counts down while a new bulk action waits for the rate limit. */
export function StartDelayed() {
  const { retryAt } = useConnection()
  const seconds = useSecondsUntil(retryAt)
  if (seconds === 0) return null
  return (
    <Alert color="orange" icon={<IconHourglass aria-hidden />} role="status">
      {strings.startsIn(seconds)}
    </Alert>
  )
}
