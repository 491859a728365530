import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isInProgress, latestBulkActions } from './latest-bulk-actions.ts'
import { notifyFinished } from './notify-finished.tsx'

const POLL_INTERVAL_MS = 5000
/** For hidden tabs. Every open tab polls, and the limit is 100 requests per minute. */
const HIDDEN_POLL_INTERVAL_MS = 15_000

/** Polls the user's bulk actions on every screen while any is in progress, and notifies when one finishes. */
export function BulkActionWatch() {
  const navigate = useNavigate()
  const inProgress = useRef(new Set<string>())
  const { data } = useQuery({
    ...latestBulkActions(),
    refetchInterval: ({ state }) => {
      if (!state.data?.data.some(isInProgress)) return false
      return document.hidden ? HIDDEN_POLL_INTERVAL_MS : POLL_INTERVAL_MS
    },
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: ({ state }) => (state.data?.data.some(isInProgress) ? 'always' : false),
  })
  useEffect(() => {
    for (const action of data?.data ?? []) {
      const { id } = action
      if (isInProgress(action)) inProgress.current.add(id)
      else if (inProgress.current.delete(id))
        notifyFinished(action, () => navigate({ to: '/bulk-actions/$id', params: { id } }))
    }
  }, [data, navigate])
  return null
}
