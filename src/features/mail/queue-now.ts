import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { enqueue, markNotifications } from './queue.ts'
import { getsMail, timingOf } from './recipients.ts'

const BATCH = 500
const HOUR_MS = 3_600_000
/** Turning on mail must not send old notifications. */
const MAX_AGE_MS = 24 * HOUR_MS
/** A day has up to 25 hours, and the service may have been down when the digest was due. */
export const MAX_DIGEST_AGE_MS = 48 * HOUR_MS

interface Candidate {
  id: string
  user_email: string
  isWanted: boolean
}

/**
 * Puts a mail into the queue for each notification that its user wants at once, and marks those that are not mailed. Those
 * for the digest are left alone until then.
 */
export async function queueAtOnce(db: Db, now: Date, stopped?: AbortSignal): Promise<void> {
  while (!stopped?.aborted) {
    const count = await db.transaction().execute(async (transaction) => {
      const candidates = await lockCandidates(transaction, now)
      const [wanted, unwanted] = [true, false].map((isWanted) =>
        candidates.filter((candidate) => candidate.isWanted === isWanted),
      ) as [Candidate[], Candidate[]]
      await enqueue(
        transaction,
        wanted.map(({ id, user_email }) => ({
          ...{ user_email, kind: 'now', dedupe: `now:${id}`, notification_ids: [id], isEmpty: false },
        })),
      )
      await markNotifications(
        transaction,
        unwanted.map(({ id }) => id),
        'skipped',
      )
      return candidates.length
    })
    if (count < BATCH) return
  }
}

async function lockCandidates(transaction: Db, now: Date): Promise<Candidate[]> {
  const timing = timingOf(sql`n.kind`)
  const youngerThan = (age: number) => sql`n.at > ${new Date(now.getTime() - age)}`
  const mayBeMailed = sql`${getsMail} and n.read_at is null and n.done_at is null`
  const { rows } = await sql<Candidate>`
    select n.id, n.user_email,
      ${mayBeMailed} and ${timing} = 'now' and ${youngerThan(MAX_AGE_MS)} as "isWanted"
    from notifications n
      left join users u on u.email = n.user_email collate "default"
      left join notification_settings s on s.user_email = n.user_email
    where n.mail is null and not (${mayBeMailed} and ${timing} = 'digest' and ${youngerThan(MAX_DIGEST_AGE_MS)})
    order by n.at, n.id limit ${BATCH} for update of n skip locked`.execute(transaction)
  return rows
}
