export interface SessionsTable {
  id: string
  user_email: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  address: string | null
  browser: string | null
  ended_at: Date | null
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    sessions: SessionsTable
  }
}
