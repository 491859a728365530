import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { dayAt, isDigestDue } from './digest-day.ts'
import { hasDueTasks } from './due-tasks.ts'
import { enqueue, type NewMail } from './queue.ts'
import { MAX_DIGEST_AGE_MS } from './queue-now.ts'
import { digestHour, getsMail, timingOf, zoneOf } from './recipients.ts'

const BATCH = 200

/** Users whose digests are due at the same moments. */
interface Group {
  /** The time zone as stored. */
  zone: string | null
  hour: number
}

/**
 * Puts the digests that are due into the queue, one for each user and day. A user who has nothing new and nothing due gets
 * none on that day.
 * @param timeZone of users who have chosen none
 */
export async function queueDigests(
  db: Db,
  timeZone: string,
  now: Date,
  stopped?: AbortSignal,
): Promise<void> {
  const { rows: groups } = await sql<Group>`
    select distinct u.preferences ->> 'time_zone' as zone, ${digestHour} as hour
    from users u left join notification_settings s on s.user_email = u.email
    where ${getsMail}`.execute(db)
  for (const group of groups) {
    const clock = { now, timeZone: zoneOf(group.zone, timeZone) }
    if (!isDigestDue(now, clock.timeZone, group.hour)) continue
    while (!stopped?.aborted) if ((await queueGroup(db, group, clock)) < BATCH) break
  }
}

/** @returns the number of considered users, at most `BATCH` */
const queueGroup = (db: Db, { zone, hour }: Group, clock: { now: Date; timeZone: string }) =>
  db.transaction().execute(async (transaction) => {
    const dedupe = sql<string>`'digest:' || u.email || ':' || ${dayAt(clock.now, clock.timeZone).date}::text`
    const isInDigest = (kind: string) => sql<boolean>`${timingOf(sql.lit(kind))} = 'digest'`
    const { rows } = await sql<
      Pick<NewMail, 'user_email' | 'dedupe' | 'notification_ids'> & { hasTasks: boolean }
    >`
      select u.email as user_email, ${dedupe} as dedupe,
        array(select n.id from notifications n
          where n.user_email = u.email and n.mail is null and n.read_at is null and n.done_at is null
            and n.at > ${new Date(clock.now.getTime() - MAX_DIGEST_AGE_MS)} and ${timingOf(sql`n.kind`)} = 'digest'
          order by n.at, n.id) as notification_ids,
        ${hasDueTasks(sql`u.email`, clock, { overdue: isInDigest('task_overdue'), today: isInDigest('task_due') })}
          as "hasTasks"
      from users u left join notification_settings s on s.user_email = u.email
      where ${getsMail} and u.preferences ->> 'time_zone' is not distinct from ${zone} and ${digestHour} = ${hour}
        and not exists (select from mails where dedupe = ${dedupe})
      order by u.email limit ${BATCH}`.execute(transaction)
    const mails = rows.map(
      ({ hasTasks, ...row }): NewMail => ({
        ...row,
        kind: 'digest',
        isEmpty: !hasTasks && row.notification_ids.length === 0,
      }),
    )
    await enqueue(transaction, mails)
    return rows.length
  })
