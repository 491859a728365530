export interface ThesesTable {
  id: string
  code: string
  title: string
  summary: string | null
  report_markdown: string | null
  status: string
  created_at: Date
  updated_at: Date
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    theses: ThesesTable
  }
}
