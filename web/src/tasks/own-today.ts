import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { todayIn } from '#web/format/calendar-day.ts'

/** Today in the time zone of the signed-in user. */
export const ownToday = (): string =>
  todayIn(queryClient.getQueryData(queries.me().queryKey)?.preferences.time_zone)
