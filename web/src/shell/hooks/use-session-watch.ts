import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { NotSignedIn } from '#src/client/errors.ts'
import { connection } from '#web/api/connection.ts'
import { queries } from '#web/api/queries.ts'

const MIN_CHECK_INTERVAL_MS = 3000
/** Others can end sessions and disable users. */
const POLL_INTERVAL_MS = 10_000
/** A request that hangs must not hide that the session has ended. */
const MAX_WAIT_FOR_SAVING_MS = 20_000

/**
 * Checks who is signed in, and with which permissions: every few seconds while this tab is visible, and when the user
 * returns to it.
 */
export function useSessionWatch(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let checkedAt = 0
    // The notice stays closed once the user has closed it, until they return to this tab.
    let hasEnded = false
    const check = async () => {
      timer = undefined
      checkedAt = Date.now()
      try {
        await queryClient.fetchQuery({ ...queries.me(), staleTime: 0 })
      } catch (error) {
        if (!(error instanceof NotSignedIn)) return
        hasEnded = true
        connection.set({ isSessionExpired: true, sessionError: error.details })
        return
      }
      hasEnded = false
      if (!connection.get().isSessionExpired) return
      connection.set({ isSessionExpired: false })
      await queryClient.invalidateQueries()
    }
    const scheduleCheck = () => {
      if (document.visibilityState === 'hidden') return
      timer ??= setTimeout(check, Math.max(0, checkedAt + MIN_CHECK_INTERVAL_MS - Date.now()))
    }
    const poll = setInterval(() => {
      const isLimited = Date.now() < connection.get().retryAt
      // A change that is being saved must not be replaced with what was stored before.
      const isSaving =
        queryClient.isMutating({
          predicate: ({ state }) => Date.now() - state.submittedAt < MAX_WAIT_FOR_SAVING_MS,
        }) > 0
      if (!hasEnded && !isLimited && !isSaving) scheduleCheck()
    }, POLL_INTERVAL_MS)
    addEventListener('focus', scheduleCheck)
    addEventListener('storage', scheduleCheck)
    document.addEventListener('visibilitychange', scheduleCheck)
    return () => {
      clearTimeout(timer)
      clearInterval(poll)
      removeEventListener('focus', scheduleCheck)
      removeEventListener('storage', scheduleCheck)
      document.removeEventListener('visibilitychange', scheduleCheck)
    }
  }, [queryClient])
}
