import type { TrashedType } from './schema.ts'

export interface TrashTable {
  id: string
  entity_type: TrashedType
  name: string
  company_id: string | null
  parent_id: string | null
  user_email: string | null
  action_id: string
  deleted_at: Date
  purging: boolean
  content: string
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    trash: TrashTable
  }
}
