export interface ActivityTable {
  id: string
  activity_type: string
  entity_type: string
  entity_id: string
  company_id: string | null
  user_email: string | null
  timestamp: Date
  metadata: string
}

export interface ActivityCountsTable {
  activity_type: string
  entity_type: string
  user_email: string | null
  n: number
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    activity: ActivityTable
    activity_counts: ActivityCountsTable
    activity_count_deltas: ActivityCountsTable
  }
}
