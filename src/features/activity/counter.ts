import type { Counter } from '#src/platform/database/counters.ts'

/** Counts activity records by each combination of these columns. */
export const activityCounter: Counter = {
  name: 'activity',
  columns: ['entity_type', 'user_email', 'activity_type'],
}
