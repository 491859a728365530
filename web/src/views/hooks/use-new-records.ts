import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type View, viewQueries } from '../view-queries.ts'

const NONE: ReadonlySet<string> = new Set()

/** The ids of the records that have entered the open view since the user last looked; none if they are too many to mark. */
export function useNewRecords(view: View | undefined): ReadonlySet<string> {
  const { data: ids } = useQuery({
    ...viewQueries.news(view?.id ?? '', true),
    enabled: view !== undefined,
    select: (news) => news.ids,
  })
  return useMemo(() => (ids && ids.length > 0 ? new Set(ids) : NONE), [ids])
}
