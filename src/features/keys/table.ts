import type { Generated } from 'kysely'
import type { Role, Scope } from '#src/platform/http/security/permissions.ts'

export interface ApiKeysTable {
  id: string
  name: string
  user_email: string
  prefix: string
  /** SHA-256 in hex. */
  hash: string
  scopes: Scope[]
  role: Role
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  last_used_address: string | null
  revoked_at: Date | null
  access_changed_at: Generated<Date>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    api_keys: ApiKeysTable
  }
}
