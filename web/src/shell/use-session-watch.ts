import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { NotSignedIn } from '#src/client/errors.ts'
import { connection } from '#web/service/connection.ts'
import { queries } from '#web/service/queries.ts'

const MIN_CHECK_INTERVAL_MS = 3000

/** Checks who is signed in when the user returns to this tab, because it may have changed in another one. */
export function useSessionWatch(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let checkedAt = 0
    const check = async () => {
      timer = undefined
      checkedAt = Date.now()
      try {
        await queryClient.fetchQuery({ ...queries.me(), staleTime: 0 })
      } catch (error) {
        if (error instanceof NotSignedIn) connection.set({ isSessionExpired: true })
        return
      }
      if (!connection.get().isSessionExpired) return
      connection.set({ isSessionExpired: false })
      await queryClient.invalidateQueries()
    }
    const scheduleCheck = () => {
      if (document.visibilityState === 'hidden') return
      timer ??= setTimeout(check, Math.max(0, checkedAt + MIN_CHECK_INTERVAL_MS - Date.now()))
    }
    addEventListener('focus', scheduleCheck)
    addEventListener('storage', scheduleCheck)
    document.addEventListener('visibilitychange', scheduleCheck)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', scheduleCheck)
      removeEventListener('storage', scheduleCheck)
      document.removeEventListener('visibilitychange', scheduleCheck)
    }
  }, [queryClient])
}
