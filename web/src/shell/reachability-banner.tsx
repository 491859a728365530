import { Alert } from '@mantine/core'
import { IconCloudOff, IconHourglass } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { strings } from '#strings/general.ts'
import { reachability, useReachability } from '#web/service/reachability.ts'

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

/** Looks whether the service is back, and has everything on the screen read again when it is. */
function useLookingAgain(isReachable: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isReachable) return
    const timer = setInterval(async () => {
      const isBack = await fetch('/healthz').then(
        ({ ok }) => ok,
        () => false,
      )
      if (!isBack) return
      reachability.set({ isReachable: true })
      await queryClient.invalidateQueries()
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [isReachable, queryClient])
}

function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (moment <= Date.now()) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [moment])
  return Math.max(0, Math.ceil((moment - now) / 1000))
}
