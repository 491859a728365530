import { Alert } from '@mantine/core'
import { IconCloudOff, IconHourglass } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { strings } from '#strings/general.ts'
import { reachability, useReachability } from '#web/service/reachability.ts'
import { useSecondsUntil } from '#web/ui/use-seconds-until.ts'

const LOOK_EVERY_MS = 3000

/** Says that the service is out of reach, or asks for a pause, for as long as that is so. */
export function ReachabilityBanner() {
  const { isReachable, waitsUntil } = useReachability()
  const seconds = useSecondsUntil(waitsUntil)
  useLookingAgain(isReachable)
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
function useLookingAgain(isReachable: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isReachable) return
    const timer = setInterval(async () => {
      const signal = AbortSignal.timeout(LOOK_EVERY_MS)
      const isBack = await fetch('/healthz', { signal }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isBack) reachability.set({ isReachable: true })
    }, LOOK_EVERY_MS)
    return () => {
      clearInterval(timer)
      // Only that: an address which never answers, say one that is blocked, would have all the others read on and on.
      queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
    }
  }, [isReachable, queryClient])
}
