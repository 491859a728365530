import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { tellOfEnd } from '#web/bulk-actions/bulk-action-end.tsx'
import { isUnderWay } from '#web/bulk-actions/bulk-actions-under-way.ts'
import { queries } from '#web/service/queries.ts'
import type { BulkAction } from '#web/service/service.ts'
import { followBulkAction } from './follow-bulk-action.ts'

const LOOK_EVERY_MS = 3000

/** An action as it is now, by the events that the service sends, else by asking again and again. */
export function useLiveBulkAction(id: string) {
  const queryClient = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  const action = useQuery({
    ...queries.bulkAction(id),
    refetchInterval: ({ state }) => (!isLive && state.data && isUnderWay(state.data) ? LOOK_EVERY_MS : false),
  })
  const mayMove = action.data ? isUnderWay(action.data) : false
  useEffect(() => {
    if (!mayMove) return
    const left = new AbortController()
    const changed = (now: BulkAction) => queryClient.setQueryData(queries.bulkAction(id).queryKey, now)
    followBulkAction(id, left.signal, { changed, connected: setIsLive })
    return () => {
      left.abort()
      setIsLive(false)
    }
  }, [id, mayMove, queryClient])
  useTellingOfEnd(action.data)
  return { action, isLive }
}

function useTellingOfEnd(action: BulkAction | undefined): void {
  const navigate = useNavigate()
  const moved = useRef<string | null>(null)
  useEffect(() => {
    if (!action) return
    const { id } = action
    if (isUnderWay(action)) moved.current = id
    else if (moved.current === id) {
      moved.current = null
      tellOfEnd(action, () => navigate({ to: '/bulk-actions/$id', params: { id } }))
    }
  }, [action, navigate])
}
