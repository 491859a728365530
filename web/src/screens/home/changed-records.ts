import type { Activity } from '#web/api/service.ts'

/** What has changed about one record, or what one action has changed about many. */
export interface ChangedRecord {
  /** The latest change. */
  latest: Activity
  /** How many other companies the action has changed in the same way. */
  others: number
  /** How many earlier changes of the record there are. */
  earlier: number
}

/** An action about more records than this is one entry. */
const MAX_RECORDS = 3

/** Deals, notes, and decisions belong to their company, if they have one. */
const subjectOf = ({ company_id, entity_id }: Activity): string => company_id ?? entity_id

/**
 * Groups changes by record, so that one that changed often takes one line.
 * @param records newest first
 */
export function changedRecords(records: readonly Activity[]): ChangedRecord[] {
  const byAction = Map.groupBy(records, ({ action_id }) => action_id)
  const isLarge = ({ action_id }: Activity): boolean =>
    action_id !== null && new Set(byAction.get(action_id)?.map(subjectOf)).size > MAX_RECORDS
  const keyOf = (record: Activity) =>
    isLarge(record) ? `${record.action_id} ${record.activity_type}` : subjectOf(record)
  return [...Map.groupBy(records, keyOf).values()].map((changes) => {
    const latest = changes[0] as Activity
    const others = isLarge(latest) ? new Set(changes.map(subjectOf)).size - 1 : 0
    // The sentence counts only companies.
    return latest.entity_type === 'company' && others > 0
      ? { latest, others, earlier: 0 }
      : { latest, others: 0, earlier: changes.length - 1 }
  })
}
