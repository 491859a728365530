import { queryClient } from '#web/api/query-client.ts'

/** What shows files. */
const AFFECTED = ['files', 'timeline', 'activity', 'history', 'trash', 'found-records']

/** Refetches everything that shows files. */
export function refreshFiles(): void {
  for (const resource of AFFECTED) queryClient.invalidateQueries({ queryKey: [resource] })
}
