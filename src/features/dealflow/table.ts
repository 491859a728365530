export interface DealflowTable {
  id: string
  company_id: string
  stage: string
  probability: number | null
  notes: string | null
  status: string
  created_at: Date
  updated_at: Date
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    dealflow: DealflowTable
  }
}
