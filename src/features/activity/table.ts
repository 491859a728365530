export interface ActivityTable {
  id: string
  activity_type: string
  entity_type: string
  entity_id: string
  company_id: string | null
  user_email: string | null
  timestamp: Date
  metadata: string
  changes: string | null
  action_id: string | null
  via: string | null
}

export interface ActionsTable {
  id: string
  kind: string
  user_email: string | null
  created_at: Date
  records: number
  undoes: string | null
  undone_by: string | null
}

export interface UnfinishedActionsTable {
  action_id: string
  advanced_at: Date
}

export interface ActionCountsTable {
  kind: string
  user_email: string | null
  n: number
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
    actions: ActionsTable
    unfinished_actions: UnfinishedActionsTable
    action_counts: ActionCountsTable
    action_count_deltas: ActionCountsTable
    activity_counts: ActivityCountsTable
    activity_count_deltas: ActivityCountsTable
  }
}
