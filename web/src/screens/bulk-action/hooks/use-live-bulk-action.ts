import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { queries } from '#web/api/queries.ts'
import type { BulkAction } from '#web/api/service.ts'
import { isInProgress } from '#web/bulk-actions/latest-bulk-actions.ts'
import { notifyFinished } from '#web/bulk-actions/notify-finished.tsx'
import { followBulkAction } from '../follow-bulk-action.ts'

const POLL_INTERVAL_MS = 3000

/** A bulk action, kept up to date by server-sent events, or by polling without them. */
export function useLiveBulkAction(id: string) {
  const queryClient = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  const action = useQuery({
    ...queries.bulkAction(id),
    refetchInterval: ({ state }) =>
      !isLive && state.data && isInProgress(state.data) ? POLL_INTERVAL_MS : false,
  })
  const inProgress = action.data ? isInProgress(action.data) : false
  useEffect(() => {
    if (!inProgress) return
    const controller = new AbortController()
    followBulkAction(id, controller.signal, {
      onChange: (latest) => queryClient.setQueryData(queries.bulkAction(id).queryKey, latest),
      onConnectionChange: setIsLive,
    })
    return () => {
      controller.abort()
      setIsLive(false)
    }
  }, [id, inProgress, queryClient])
  useNotifyFinished(action.data)
  return { action, isLive }
}

function useNotifyFinished(action: BulkAction | undefined): void {
  const navigate = useNavigate()
  const watchedId = useRef<string | null>(null)
  useEffect(() => {
    if (!action) return
    const { id } = action
    if (isInProgress(action)) watchedId.current = id
    else if (watchedId.current === id) {
      watchedId.current = null
      notifyFinished(action, () => navigate({ to: '/bulk-actions/$id', params: { id } }))
    }
  }, [action, navigate])
}
