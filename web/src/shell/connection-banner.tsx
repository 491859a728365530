import { Alert } from '@mantine/core'
import { IconCloudOff, IconHourglass } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { strings } from '#strings/general.ts'
import { connection, useConnection } from '#web/service/connection.ts'
import { useSecondsUntil } from '#web/ui/use-seconds-until.ts'

const POLL_INTERVAL_MS = 3000

/** Says that the service is out of reach, or asks for a pause, for as long as that is so. */
export function ConnectionBanner() {
  const { isReachable, retryAt } = useConnection()
  const seconds = useSecondsUntil(retryAt)
  useReconnect(isReachable)
  if (!isReachable)
    return (
      <Alert color="red" icon={<IconCloudOff aria-hidden />} mb="md" role="alert">
        {strings.unreachableBanner}
      </Alert>
    )
  if (seconds > 0)
    return (
      <Alert color="orange" icon={<IconHourglass aria-hidden />} mb="md" role="status">
        {strings.waiting(seconds)}
      </Alert>
    )
  return null
}

/** Looks whether the service is back, and has what could not be read meanwhile read again when it is. */
function useReconnect(isReachable: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isReachable) return
    const timer = setInterval(async () => {
      const signal = AbortSignal.timeout(POLL_INTERVAL_MS)
      const isBack = await fetch('/healthz', { signal }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isBack) connection.set({ isReachable: true })
    }, POLL_INTERVAL_MS)
    return () => {
      clearInterval(timer)
      // Only that: an address which never answers, say one that is blocked, would have all the others read on and on.
      queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
    }
  }, [isReachable, queryClient])
}
