import type { Generated } from 'kysely'

export interface ImportsTable {
  id: string
  type: Generated<string>
  user_email: string | null
  file_name: string | null
  file_bytes: number | null
  state: string
  bytes_read: Generated<number>
  counts: string
  action_id: string | null
  report: string | null
  error: string | null
  started_at: Date
  advanced_at: Generated<Date>
  finished_at: Date | null
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    imports: ImportsTable
  }
}
