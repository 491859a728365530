import type { Generated } from 'kysely'

export interface UsersTable {
  email: string
  name: string | null
  picture: string | null
  role: string
  preferences: string
  disabled_at: Generated<Date | null>
  access_changed_at: Generated<Date>
  /** When the person first signed in, in any way; null if the user was only named by others. */
  signed_in_at: Generated<Date | null>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    users: UsersTable
  }
}
