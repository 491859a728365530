import type { AboutType } from './schema.ts'

/** Which records a record is about, or who took part. A link stays while one of its ends is in the trash. */
export interface LinksTable {
  /** The record that the link belongs to, such as a note. */
  record_id: string
  relation: 'about' | 'participant'
  target_type: AboutType
  target_id: string
  /** The order in which they were given. */
  position: number
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    links: LinksTable
  }
}
