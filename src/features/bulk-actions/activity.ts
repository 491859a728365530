import type { BulkActionState } from './store.ts'

/** The activity record for an event of a bulk action. */
export const bulkActionActivity = (
  event: 'created' | 'completed' | 'failed' | 'cancelled',
  { id, action_type }: Pick<BulkActionState, 'id' | 'action_type'>,
  metadata: Record<string, unknown> = { action_type },
) => ({ activity_type: `bulk_action_${event}`, entity_type: 'bulk_action', entity_id: id, metadata }) as const
