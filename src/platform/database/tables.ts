import type { Generated } from 'kysely'

/** The tables as Kysely sees them. Columns are named as the API's fields; JSON columns are written as text. */
export interface Tables {
  companies: CompaniesTable
  theses: ThesesTable
  dealflow: DealflowTable
  activity: ActivityTable
  users: UsersTable
  company_counts: CompanyCountsTable
  company_count_deltas: CompanyCountsTable
  activity_counts: ActivityCountsTable
  activity_count_deltas: ActivityCountsTable
  company_changes: { folded: number }
}

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
  created_at: Date
  updated_at: Date
  match_key: string
}

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

export interface ActivityTable {
  id: string
  activity_type: string
  entity_type: string
  entity_id: string
  company_id: string | null
  user_email: string | null
  timestamp: Date
  metadata: string
}

export interface UsersTable {
  email: string
  name: string | null
  picture: string | null
  role: string
  preferences: string
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export interface CompanyCountsTable {
  status: string
  country_code: string | null
  industry_category: string | null
  thesis_id: string | null
  n: number
}

export interface ActivityCountsTable {
  activity_type: string
  entity_type: string
  user_email: string | null
  n: number
}
