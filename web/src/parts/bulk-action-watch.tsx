import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { queries } from '#web/service/queries.ts'
import { tellOfEnd } from './bulk-action-end.tsx'
import { isUnderWay } from './bulk-action-words.ts'

const LOOK_EVERY_MS = 5000

/** Follows the reader's bulk actions, whichever screen is open, for as long as some run, and tells when one ends. */
export function BulkActionWatch() {
  const navigate = useNavigate()
  const underWay = useRef(new Set<string>())
  const { data } = useQuery({
    ...queries.bulkActions({ limit: 20 }),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? LOOK_EVERY_MS : false),
    refetchIntervalInBackground: true,
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
