import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'

/** Stores the time zone of the browser in an account that has none. It then stays until the user chooses another. */
export function TimeZone() {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  const email = me && !me.preferences.time_zone ? me.email : undefined
  useEffect(() => {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    // Some browsers report UTC for privacy.
    if (email === undefined || !time_zone || /^(?:Etc\/)?(?:UTC|GMT)$/.test(time_zone)) return
    // If it fails, the next visit tries again.
    service.updateUser({ params: { email }, body: { preferences: { time_zone } } }).then(
      // Lists may have been filtered by days of the workspace.
      () => queryClient.invalidateQueries(),
      () => {},
    )
  }, [queryClient, email])
  return null
}
