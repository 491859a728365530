import type { ColumnType, Generated } from 'kysely'
import type { SCAN_STATES, TEXT_STATES, VISIBILITIES } from './schema.ts'

export interface FilesTable {
  id: string
  name: string
  /** That of the present content. */
  version: number
  visibility: (typeof VISIBILITIES)[number]
  /** Who uploaded the first version; null: unknown. */
  uploaded_by: string | null
  created_at: Date
  updated_at: Date
}

export interface FileVersionsTable {
  file_id: string
  version: number
  object_key: string
  /** The media type, by its content. */
  type: string
  /** In bytes. */
  size: ColumnType<string, number, number>
  /** In hexadecimal digits. */
  sha256: string
  uploaded_by: string | null
  uploaded_at: Date
  scan_state: (typeof SCAN_STATES)[number]
  scan_detail: string | null
  text_state: (typeof TEXT_STATES)[number]
  text_detail: string | null
  pages: number | null
  details: object | null
  /** How often reading its text was begun without an end. */
  text_attempts: Generated<number>
  /** When a process last said that it is reading the text. */
  text_claimed_at: Date | null
}

/** The text of a page of the version that is shown. */
export interface FilePagesTable {
  file_id: string
  version: number
  page: number
  text: string
  search_words: Generated<string>
}

/** Objects that no version refers to yet. */
export interface PendingUploadsTable {
  object_key: string
  created_at: ColumnType<Date, never, never>
  /** Whether the object is about to be deleted, so that no version may refer to it any more. */
  abandoned: ColumnType<boolean, never, boolean>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    files: FilesTable
    file_versions: FileVersionsTable
    file_pages: FilePagesTable
    pending_uploads: PendingUploadsTable
  }
}
