import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type View, type ViewEntity, viewQueries } from '../view-queries.ts'
import type { ViewActions } from './use-view-actions.ts'

/** The first words of the keys of the lists that views show. */
const LISTS: Record<ViewEntity, QueryKey> = {
  company: ['companies', 'list'],
  deal: ['deals'],
  thesis: ['theses', 'list'],
  person: ['people', 'list'],
}

/**
 * Marks the records of the open view as seen when the user leaves the view or closes the page: those that the list has
 * shown, not those that have entered since.
 */
export function useMarkSeen(view: View | undefined, { markSeen }: ViewActions) {
  const id = view?.id
  const entity = view?.entity
  const queryClient = useQueryClient()
  // New records are read when a view is opened, so its list must not be older.
  useEffect(() => {
    if (id !== undefined && entity !== undefined)
      queryClient.invalidateQueries({ queryKey: LISTS[entity] }, { cancelRefetch: false })
  }, [id, entity, queryClient])
  const { data } = useQuery({ ...viewQueries.news(id ?? '', true), enabled: id !== undefined })
  const hasNews = data !== undefined && (data.count > 0 || data.isFirstLook)
  const look = id !== undefined && hasNews ? { id, until: data.until } : undefined
  const { mutate } = markSeen
  // Effects clean up before they run again, so on leaving this is still the view that is being left.
  const latest = useRef(look)
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving a view is a change of its id
  useEffect(() => {
    const leave = () => {
      if (latest.current) mutate(latest.current)
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [id, mutate])
  useEffect(() => {
    latest.current = look
  })
  return { newCount: data?.count ?? 0, markNow: () => look && mutate(look) }
}
