import type { Generated } from 'kysely'

export interface FieldsTable {
  id: string
  entity: string
  key: string
  label: string
  type: string
  options: string
  currency: string | null
  required: boolean
  archived_at: Date | null
  /** Then its values are being removed, and the field after them. */
  deleted_at: Date | null
  /** The ids of deleted options whose values are being removed. */
  removed_options: Generated<string[]>
  created_at: Date
  updated_at: Date
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    fields: FieldsTable
    field_version: { version: string }
  }
}
