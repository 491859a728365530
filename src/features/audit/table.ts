export interface AuditEntriesTable {
  position: string
  id: string
  at: Date
  event: string
  user_email: string | null
  address: string | null
  browser: string | null
  request_id: string | null
  details: string
  salts: (string | null)[]
  digests: string[]
  hash: string
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    audit_entries: AuditEntriesTable
  }
}
