import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ViewActions } from './use-view-actions.ts'
import { type View, viewQueries } from './view-queries.ts'

/** Notes that the user has seen the records of the open view when they leave it. */
export function useMarkSeen(view: View | undefined, { markSeen }: ViewActions) {
  const id = view?.id
  const { data } = useQuery({ ...viewQueries.news(id ?? ''), enabled: id !== undefined })
  const hasNews = data !== undefined && (data.count > 0 || data.isFirstLook)
  const { mutate } = markSeen
  // Effects clean up before they run again: on leaving, this is still the view that is being left.
  const latest = useRef({ id, hasNews })
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving a view is a change of its id
  useEffect(() => {
    return () => {
      const left = latest.current
      if (left.id !== undefined && left.hasNews) mutate(left.id)
    }
  }, [id, mutate])
  useEffect(() => {
    latest.current = { id, hasNews }
  })
  return { newCount: data?.count ?? 0, markNow: () => id !== undefined && mutate(id) }
}
