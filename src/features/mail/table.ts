import type { Generated } from 'kysely'

/** `now`: one notification. `digest`: what is new and due on a day. */
export type MailKind = 'now' | 'digest'

export interface MailsTable {
  id: string
  user_email: string
  kind: MailKind
  /** What makes the mail unique: `now:<notification>` or `digest:<user>:<day>`. */
  dedupe: string
  notification_ids: Generated<string[]>
  created_at: Generated<Date>
  /** When it may be sent, or when another process may send it; null: it is finished. */
  next_attempt_at: Date | null
  attempts: Generated<number>
  sent_at: Generated<Date | null>
  /** Why the last attempt failed. */
  error: Generated<string | null>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    mails: MailsTable
  }
}
