/** A row for each private record, also while it is in the trash, and after it was purged. */
export interface PrivateRecordsTable {
  id: string
  /** The email addresses of those who may see it. */
  readers: string[]
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    private_records: PrivateRecordsTable
  }
}
