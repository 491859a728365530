import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '#web/api/queries.ts'

/** Thesis codes by id. */
export function useThesisCodes(): ReadonlyMap<string, string> {
  const { data } = useQuery(queries.theses())
  return useMemo(() => new Map(data?.data.map(({ id, code }) => [id, code])), [data])
}
