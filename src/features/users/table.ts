import type { Generated } from 'kysely'

export interface UsersTable {
  email: string
  name: string | null
  picture: string | null
  role: string
  preferences: string
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    users: UsersTable
  }
}
