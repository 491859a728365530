import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { tellOfEnd } from './bulk-action-end.tsx'
import { isUnderWay, latestBulkActions } from './bulk-actions-under-way.ts'

const LOOK_EVERY_MS = 5000
/** Of a tab that nobody looks at: every open one asks, and a hundred requests a minute are allowed. */
const LOOK_UNSEEN_EVERY_MS = 15_000

/** Follows the reader's bulk actions, whichever screen is open, for as long as some run, and tells when one ends. */
export function BulkActionWatch() {
  const navigate = useNavigate()
  const underWay = useRef(new Set<string>())
  const { data } = useQuery({
    ...latestBulkActions(),
    refetchInterval: ({ state }) => {
      if (!state.data?.data.some(isUnderWay)) return false
      return document.hidden ? LOOK_UNSEEN_EVERY_MS : LOOK_EVERY_MS
    },
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: ({ state }) => (state.data?.data.some(isUnderWay) ? 'always' : false),
  })
  useEffect(() => {
    for (const action of data?.data ?? []) {
      const { id } = action
      if (isUnderWay(action)) underWay.current.add(id)
      else if (underWay.current.delete(id))
        tellOfEnd(action, () => navigate({ to: '/bulk-actions/$id', params: { id } }))
    }
  }, [data, navigate])
  return null
}
