export interface CalendarFeedsTable {
  user_email: string
  /** SHA-256 in hex. */
  token_hash: string
  created_at: Date
  last_read_at: Date | null
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    calendar_feeds: CalendarFeedsTable
  }
}
