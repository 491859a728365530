import type { Counter } from '#src/platform/database/counters.ts'

/** Counts activity records by each combination of these columns. */
export const activityCounter: Counter = {
  name: 'activity',
  columns: ['entity_type', 'user_email', 'activity_type'],
}

/** Counts actions by each combination of these columns. */
export const actionCounter: Counter = { name: 'action', columns: ['kind', 'user_email'] }
