import { sql } from 'kysely'
import { followAutomatically } from '#src/features/follows/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { newId } from '#src/platform/ids.ts'
import { type Reason, readReasons } from './recipients.ts'

/** A notification as it is inserted. */
type NewNotification = Omit<Reason, 'seq' | 'details' | 'dedupe'> & {
  id: string
  details: string
  dedupe: string
  count: number
}

/**
 * Tells users of events, and makes them follow what they are mentioned in and assigned. The records of one action are one
 * notification for each user and kind.
 * @param seqs the numbers of the events
 */
export async function tell(transaction: Db, seqs: readonly string[]): Promise<void> {
  const reasons = await readReasons(transaction, seqs)
  await insertNotifications(transaction, combined(reasons.filter(({ isOwn }) => !isOwn)))
  await followAutomatically(
    transaction,
    reasons.flatMap(({ kind, user_email, subject_id: record_id }) =>
      kind === 'mentioned' || kind === 'assigned' ? [{ user_email, record_id, reason: kind }] : [],
    ),
  )
}

function combined(reasons: readonly Reason[]): NewNotification[] {
  const groups = Map.groupBy(reasons, ({ user_email, kind, action_id, seq, dedupe }) =>
    JSON.stringify([user_email, dedupe ?? `${kind}:${action_id ?? `evt_${seq}`}`]),
  )
  return [...groups].map(([key, group]) => {
    const { seq: _seq, details, ...first } = group[0] as Reason
    const [, dedupe] = JSON.parse(key) as [string, string]
    const count = new Set(group.map(({ subject_id }) => subject_id)).size
    return { ...first, id: newId('ntf'), details: JSON.stringify(details), dedupe, count }
  })
}

const COLUMNS = {
  id: 'text',
  user_email: 'text',
  kind: 'text',
  actor_email: 'text',
  subject_type: 'text',
  subject_id: 'text',
  action_id: 'text',
  count: 'int',
  details: 'text',
  dedupe: 'text',
} as const

/** Further records of an action add to the count of its notification. The end of an import or a bulk action is notified once. */
async function insertNotifications(transaction: Db, made: readonly NewNotification[]): Promise<void> {
  if (made.length === 0) return
  await sql`
    insert into notifications as stored
      (id, user_email, kind, at, actor_email, subject_type, subject_id, action_id, count, details, dedupe)
    select id, user_email, kind, date_trunc('milliseconds', clock_timestamp()), actor_email, subject_type, subject_id, action_id,
      count, details::jsonb, dedupe
    from ${rowsFrom('made', COLUMNS, made)} order by user_email, dedupe
    on conflict (user_email, dedupe) do update set count = stored.count + excluded.count
      where stored.kind not in ('import_ended', 'bulk_action_ended')`.execute(transaction)
}
