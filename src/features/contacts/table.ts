/** A record that a team-visible call, meeting, or email is linked to. Triggers on `notes` and `links` write it. */
export interface ContactsTable {
  target_id: string
  note_id: string
  happened_at: Date
  kind: string
  author_email: string | null
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    contacts: ContactsTable
  }
}
