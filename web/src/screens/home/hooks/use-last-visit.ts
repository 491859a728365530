import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { isWorthStoring, visitAt } from '../last-visit.ts'

/** Where the preferences keep it. */
const KEY = 'last_home'

/**
 * Stores this visit in the preferences, so that it counts in every browser.
 * @returns the last visit on an earlier day, null if there was none; undefined until the user is known
 */
export function useLastVisit(): string | null | undefined {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  const stored = me?.preferences[KEY]
  const zone = me?.preferences.time_zone
  const visit = useMemo(() => me && visitAt(stored, new Date(), zone), [me, stored, zone])
  const email = me?.email
  useEffect(() => {
    if (email === undefined || !visit || !isWorthStoring(stored, visit)) return
    // If it fails, the next visit tries again.
    service.updateUser({ params: { email }, body: { preferences: { [KEY]: visit } } }).then(
      ({ data: { preferences } }) =>
        queryClient.setQueryData(queries.me().queryKey, (user) => user && { ...user, preferences }),
      () => {},
    )
  }, [queryClient, email, stored, visit])
  return visit?.since
}
