import type { ColumnType, Generated } from 'kysely'
import type { OUTCOMES } from './schema.ts'

export interface DecisionsTable {
  id: string
  company_id: string
  deal_id: string | null
  outcome: (typeof OUTCOMES)[number] | null
  reasons: Generated<string[]>
  body: string
  asked: Generated<string[]>
  /** By the email address of the user. Written as JSON. */
  votes: ColumnType<object, string | undefined, string>
  decided_at: Date | null
  revisit_on: string | null
  author_email: string | null
  created_at: Date
  updated_at: Date
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    decisions: DecisionsTable
  }
}
