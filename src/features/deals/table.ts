import type { ColumnType, Generated } from 'kysely'
import type { CustomValues } from '#src/features/fields/index.ts'
import type { SourceType } from './source-schema.ts'

export interface DealflowTable {
  id: string
  company_id: string
  stage: string
  probability: number | null
  notes: string | null
  status: string
  owner_email: string | null
  amount_eur: number | null
  round: string | null
  valuation_eur: number | null
  ownership_percent: number | null
  source: string | null
  source_type: SourceType | null
  source_id: string | null
  lost_reason: string | null
  expected_close_on: string | null
  stage_entered_at: Generated<Date>
  /** What an import recognizes a deal by that an earlier one has written. */
  import_key: Generated<string | null>
  /** Written as JSON. */
  custom: ColumnType<CustomValues, string | undefined, string>
  created_at: Date
  updated_at: Date
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    dealflow: DealflowTable
  }
}
