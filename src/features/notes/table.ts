import type { Generated } from 'kysely'
import type { NOTE_KINDS, VISIBILITIES } from './schema.ts'

export interface NotesTable {
  id: string
  kind: (typeof NOTE_KINDS)[number]
  title: string | null
  body: string
  happened_at: Date
  mentions: string[]
  pinned: Generated<boolean>
  parent_id: string | null
  visibility: (typeof VISIBILITIES)[number]
  author_email: string | null
  source: string | null
  created_at: Date
  updated_at: Date
  search_words: Generated<string>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    notes: NotesTable
  }
}
