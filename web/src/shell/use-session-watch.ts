import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { NotSignedIn } from '#src/client/errors.ts'
import { connection } from '#web/service/connection.ts'
import { queries } from '#web/service/queries.ts'

const MIN_CHECK_INTERVAL_MS = 3000

/** Asks who is signed in whenever that may have changed in another tab: when the reader comes back to this one. */
export function useSessionWatch(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let lookedAt = 0
    const look = async () => {
      timer = undefined
      lookedAt = Date.now()
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
    const lookSoon = () => {
      if (document.visibilityState === 'hidden') return
      timer ??= setTimeout(look, Math.max(0, lookedAt + MIN_CHECK_INTERVAL_MS - Date.now()))
    }
    addEventListener('focus', lookSoon)
    addEventListener('storage', lookSoon)
    document.addEventListener('visibilitychange', lookSoon)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', lookSoon)
      removeEventListener('storage', lookSoon)
      document.removeEventListener('visibilitychange', lookSoon)
    }
  }, [queryClient])
}
