import type { ColumnType, Generated } from 'kysely'
import type { NotificationKind, SubjectType } from './schema.ts'

export interface NotificationsTable {
  id: string
  user_email: string
  kind: NotificationKind
  at: Date
  read_at: Date | null
  done_at: Date | null
  actor_email: string | null
  subject_type: SubjectType
  subject_id: string
  action_id: string | null
  /** How many records of one action it is about. */
  count: Generated<number>
  /** Written as JSON. Never text of a note. */
  details: ColumnType<object, string | undefined, string>
  /** What makes it unique for its user. */
  dedupe: string
  /** null: mail has not considered it yet. */
  mail: string | null
}

export interface NotificationSettingsTable {
  user_email: string
  /** How each kind is mailed where that is not the default. Written as JSON. */
  mail: ColumnType<object, string | undefined, string>
  digest_hour: Generated<number>
  /** As earlier versions stored it; null once it has been encrypted. */
  unsubscribe_token: Generated<string | null>
  created_at: Generated<Date>
}

/** Tokens in addresses to unsubscribe, which mail makes. */
export interface UnsubscribeTokensTable {
  hash: string
  user_email: string
  /** null: it was replaced, and only addresses in earlier mails contain it. */
  sealed: string | null
  created_at: Generated<Date>
}

export interface EventConsumersTable {
  name: string
  /** Up to where it has read the events. */
  position: string
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    notifications: NotificationsTable
    notification_settings: NotificationSettingsTable
    unsubscribe_tokens: UnsubscribeTokensTable
    event_consumers: EventConsumersTable
  }
}
