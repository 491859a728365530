import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react'
import { DependencyUnavailable, TooManyRequests } from '#src/client/errors.ts'
import { strings } from '#strings/bulk-actions.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { useReachability } from '#web/service/reachability.ts'
import { useSecondsUntil } from '#web/ui/use-seconds-until.ts'

/** Why a bulk action was not started. */
export function StartError({ error }: { error: unknown }) {
  const title = error instanceof DependencyUnavailable ? strings.unavailable : strings.notStarted
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      {error instanceof TooManyRequests ? strings.tooMany : errorMessage(error)}
    </Alert>
  )
}

/** Says while a bulk action waits for its turn that it does, and how long. */
export function StartWaits() {
  const { waitsUntil } = useReachability()
  const seconds = useSecondsUntil(waitsUntil)
  if (seconds === 0) return null
  return (
    <Alert color="orange" icon={<IconHourglass aria-hidden />} role="status">
      {strings.waits(seconds)}
    </Alert>
  )
}
