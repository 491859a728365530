import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

/** The data of a query, rendered in short slices that let input through. For screens that show several at once. */
export function useDeferredQuery<Answer, Data, Key extends QueryKey>(
  options: UseQueryOptions<Answer, Error, Data, Key>,
) {
  const { data: latest, isError, error, refetch } = useQuery(options)
  const data = useDeferredValue(latest)
  return { data, isPending: data === undefined && !isError, isError, error, refetch }
}
