import type { ColumnType } from 'kysely'
import type { Criterion } from './schema.ts'

export interface ThesesTable {
  id: string
  code: string
  title: string
  summary: string | null
  report_markdown: string | null
  status: string
  /** Written as JSON text. */
  criteria: ColumnType<Criterion[] | null, string | null, string | null>
  created_at: Date
  updated_at: Date
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    theses: ThesesTable
  }
}
