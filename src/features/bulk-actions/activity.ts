import type { KnownBulkAction } from './store.ts'

/** A record in the activity log about an action. */
export const activity = (
  what: 'created' | 'completed' | 'failed' | 'cancelled',
  { id, action_type }: Pick<KnownBulkAction, 'id' | 'action_type'>,
  metadata: Record<string, unknown> = { action_type },
) => ({ activity_type: `bulk_action_${what}`, entity_type: 'bulk_action', entity_id: id, metadata }) as const
