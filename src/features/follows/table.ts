import type { Generated } from 'kysely'
import type { FollowedType } from './schema.ts'

/** What a user has chosen about a record, or what made them follow it. */
export interface FollowsTable {
  user_email: string
  entity_type: FollowedType
  entity_id: string
  /** false: they unfollowed it, so nothing makes them follow it again but their choice. */
  is_following: boolean
  reason: string
  created_at: Generated<Date>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    follows: FollowsTable
  }
}
