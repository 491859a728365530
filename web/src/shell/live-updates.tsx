import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChanges } from '#web/api/live/live-updates.ts'

/** Keeps what is on screen up to date with what others change. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  useEffect(() => followChanges(queryClient), [queryClient])
  return null
}
