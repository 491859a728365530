import type { Generated } from 'kysely'

export interface CompaniesTable {
  id: string
  name: string
  country: string | null
  country_code: string | null
  hq_city: string | null
  industry_category: string | null
  activity_description: string | null
  status: string
  thesis_id: string | null
  website: string | null
  founded_year: number | null
  employee_count: number | null
  revenue_eur: number | null
  llm_score_overall: number | null
  llm_score_details: string | null
  executives: string | null
  financials: string | null
  tags: Generated<string[]>
  owner_email: Generated<string | null>
  custom: Generated<string>
  /** Of the latest decision. Triggers write both. */
  decision_outcome: Generated<string | null>
  revisit_on: Generated<string | null>
  created_at: Date
  updated_at: Date
}

export interface CompanyCountsTable {
  status: string
  country_code: string | null
  industry_category: string | null
  thesis_id: string | null
  n: number
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    companies: CompaniesTable
    company_counts: CompanyCountsTable
    company_count_deltas: CompanyCountsTable
    company_changes: { folded: number }
  }
}
