import type { AboutType } from './schema.ts'

/** Which records a record is about, or who took part. A link stays while one of its ends is in the trash. */
export interface LinksTable {
  /** The record that the link belongs to, such as a note. */
  record_id: string
  relation: Relation
  target_type: AboutType
  target_id: string
  /** The order in which they were given. */
  position: number
}

export type Relation = 'about' | 'participants'

/** The records whose every `about` is in the trash. Triggers on `trash` and `links` write it. */
export interface UnlistedRecordsTable {
  id: string
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    links: LinksTable
    unlisted_records: UnlistedRecordsTable
  }
}
