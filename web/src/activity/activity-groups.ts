import type { Activity } from '#web/api/service.ts'
import { isEqual } from '#web/editing/record-changes.ts'

/** Events of one kind about many companies, newest first. */
export type ActivityGroup = [Activity, ...Activity[]]

const MAX_GAP_MS = 60_000

/**
 * Groups what one action did to many companies, so that it does not hide everything else.
 * @param records newest first
 */
export function groupActivity(records: readonly Activity[]): ActivityGroup[] {
  const groups: ActivityGroup[] = []
  for (const record of records) {
    const group = groups.findLast((one) => belongsTo(one, record))
    if (group) group.push(record)
    else groups.push([record])
  }
  return groups
}

function belongsTo(group: ActivityGroup, record: Activity): boolean {
  const last = group.at(-1) as Activity
  if (record.entity_type !== 'company' || !record.company_id) return false
  if (last.activity_type !== record.activity_type || last.user_email !== record.user_email) return false
  if (record.action_id !== null && record.action_id === last.action_id) return true
  const action = record.metadata.bulk_action_id
  if (typeof action === 'string') return last.metadata.bulk_action_id === action
  const pause = Date.parse(last.timestamp) - Date.parse(record.timestamp)
  return (
    pause < MAX_GAP_MS &&
    last.company_id !== record.company_id &&
    isEqual(last.metadata.fields, record.metadata.fields)
  )
}
