import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { newId } from '#src/platform/ids.ts'
import type { MailKind } from './table.ts'

/** A mail to put into the queue. */
export interface NewMail {
  user_email: string
  kind: MailKind
  dedupe: string
  notification_ids: string[]
  /** Whether there is nothing to send: the mail only records that it was considered. */
  isEmpty: boolean
}

/**
 * Puts mails into the queue, unless another process has done so, and marks their notifications in the same transaction.
 * @returns the number of new mails
 */
export async function enqueue(transaction: Db, mails: readonly NewMail[]): Promise<number> {
  if (mails.length === 0) return 0
  const input = mails.map((mail) => ({ ...mail, id: newId('mail') }))
  const { rows } = await sql<{ notification_ids: string[] }>`
    insert into mails (id, user_email, kind, dedupe, notification_ids, next_attempt_at)
    select id, user_email, kind, dedupe, notification_ids, case when not "isEmpty" then clock_timestamp() end
    from json_to_recordset(${JSON.stringify(input)}::json)
      as new (id text, user_email text, kind text, dedupe text, notification_ids text[], "isEmpty" boolean)
    order by dedupe
    on conflict (dedupe) do nothing
    returning notification_ids`.execute(transaction)
  const ids = rows.flatMap(({ notification_ids }) => notification_ids)
  await markNotifications(transaction, ids, 'sent')
  return rows.length
}

/** Records that notifications are in the queue of mails, or that they are not mailed. */
export async function markNotifications(db: Db, ids: readonly string[], mail: 'sent' | 'skipped') {
  if (ids.length === 0) return
  // In one order, as requests that mark notifications lock them.
  await sql`
    update notifications set mail = ${mail} where id in (
      select id from notifications where id = any(${ids}) and mail is null order by id for update)`.execute(
    db,
  )
}
