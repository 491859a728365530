import { mock } from 'node:test'
import { type QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'

/** Lets what is due now run. */
export const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Moves the mocked timers on. */
export async function pass(seconds: number): Promise<void> {
  for (let tenths = 0; tenths < seconds * 10; tenths++) {
    mock.timers.tick(100)
    await settled()
  }
}

/** Opens queries and counts their requests, in this order of keys. */
export async function openQueries(queryClient: QueryClient, ...queryKeys: QueryKey[]): Promise<number[]> {
  const counts = queryKeys.map(() => 0)
  for (const [index, queryKey] of queryKeys.entries())
    new QueryObserver(queryClient, {
      queryKey,
      networkMode: 'always',
      queryFn: async () => ++(counts[index] as number),
    }).subscribe(() => {})
  await settled()
  return counts
}
