import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queries } from '#web/api/queries.ts'
import type { SearchStatus } from '#web/api/service.ts'

/** Identifies what ranks the results, and how many companies it knows. */
const rankingOf = ({ answering: active, models }: SearchStatus): string =>
  JSON.stringify([active, ...models.map(({ model, embedded }) => [model, embedded])])

/** The state of the search index. When it ranks differently, results of semantic search are refetched. */
export function useSearchStatus(): UseQueryResult<SearchStatus> {
  const queryClient = useQueryClient()
  const status = useQuery(queries.searchStatus())
  const ranking = status.data && rankingOf(status.data)
  const before = useRef(ranking)
  useEffect(() => {
    if (before.current !== undefined && before.current !== ranking)
      queryClient.invalidateQueries({ queryKey: ['companies', 'search'] })
    before.current = ranking
  }, [ranking, queryClient])
  return status
}
