export interface CompanyIdentitiesTable {
  company_id: string
  domain: string | null
  name: string
  country: string | null
  name_start: string | null
  name_end: string | null
  name_edges: string | null
}

export interface DuplicatesTable {
  id: string
  older_id: string
  newer_id: string
  score: number
  reasons: string[]
  found_at: Date
  dismissed_at: Date | null
  dismissed_by: string | null
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    company_identities: CompanyIdentitiesTable
    companies_to_compare: { company_id: string; change: string }
    duplicates: DuplicatesTable
    duplicate_scan: { rules: string; last_id: string; finished_at: Date | null }
  }
}
