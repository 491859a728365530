import type { Counter } from '#src/platform/database/counters.ts'

/** How many activity records have each combination of these values. */
export const activityCounter: Counter = {
  name: 'activity',
  columns: ['entity_type', 'user_email', 'activity_type'],
}
