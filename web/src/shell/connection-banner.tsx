import { Alert } from '@mantine/core'
import { IconCloudOff, IconHourglass } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { strings } from '#strings/general.ts'
import { connection, useConnection } from '#web/api/connection.ts'
import { waitForRecovery } from '#web/api/service-up.ts'
import { useSecondsUntil } from '#web/ui/use-seconds-until.ts'
import classes from './connection-banner.module.css'

/** Shown while the service is unreachable, or the rate limit is reached (above the page, so that nothing moves). */
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
      <Alert color="orange" icon={<IconHourglass aria-hidden />} role="status" className={classes.limited}>
        {strings.rateLimited(seconds)}
      </Alert>
    )
  return null
}

/** Checks whether the service is back, then refetches the queries that failed. */
function useReconnect(isReachable: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isReachable) return
    let isWaiting = true
    waitForRecovery().then(() => isWaiting && connection.set({ isReachable: true }))
    return () => {
      isWaiting = false
      // Only failed ones: refetching all queries could go on forever if one address is always blocked.
      queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
    }
  }, [isReachable, queryClient])
}
