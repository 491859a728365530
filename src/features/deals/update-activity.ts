import type { Changes, NewActivity } from '#src/features/activity/index.ts'

/** The records of a deal's change. A stage change gets its own, next to one for the other changed fields. */
export function updateActivity(
  { id, company_id }: { id: string; company_id: string },
  { stage, ...others }: Changes,
  timestamp: string,
): NewActivity[] {
  const entity = { entity_type: 'dealflow', entity_id: id, company_id, timestamp } as const
  const activities: NewActivity[] = []
  if (stage)
    activities.push({
      ...entity,
      activity_type: 'dealflow_stage_changed',
      metadata: { from: stage.from, to: stage.to },
      changes: { stage },
    })
  const fields = Object.keys(others)
  if (fields.length > 0)
    activities.push({ ...entity, activity_type: 'dealflow_updated', metadata: { fields }, changes: others })
  return activities
}
