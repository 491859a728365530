import { type RawBuilder, sql } from 'kysely'
import { DEFAULT_DIGEST_HOUR, DEFAULT_MAIL } from '#src/features/notifications/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isTimeZone } from '#src/platform/schema/time-zone.ts'

/** Whether the user `u`, if there is one, gets mail at all. */
export const getsMail = sql<boolean>`(u.email is not null and u.disabled_at is null
  and coalesce(u.preferences ->> 'notifications_enabled', 'true') <> 'false')`

/** The hour of the digest of the user `u`, whose settings, if any, are `s`. */
export const digestHour = sql<number>`coalesce(s.digest_hour, ${sql.lit(DEFAULT_DIGEST_HOUR)})`

/** How the user with the settings `s` is mailed of a kind of notification: `now`, `digest`, or `off`. */
export const timingOf = (kind: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`coalesce(s.mail ->> ${kind}, ${JSON.stringify(DEFAULT_MAIL)}::jsonb ->> ${kind}, 'off')`

/** A user to whom a mail is addressed. */
export interface Recipient {
  email: string
  name: string | null
  timeZone: string
  getsMail: boolean
  /** How the user is mailed of each kind of notification. */
  timings: Record<string, string>
  unsubscribeToken: string
}

/** The recipients by email address. Those without settings get some, for the token to unsubscribe with. */
export async function readRecipients(
  db: Db,
  emails: readonly string[],
  workspaceTimeZone: string,
): Promise<Map<string, Recipient>> {
  await sql`
    insert into notification_settings (user_email) select email from users where email = any(${emails})
    on conflict do nothing`.execute(db)
  const { rows } = await sql<Omit<Recipient, 'timeZone'> & { zone: string | null }>`
    select u.email, u.name, u.preferences ->> 'time_zone' as zone, ${getsMail} as "getsMail",
      ${JSON.stringify(DEFAULT_MAIL)}::jsonb || s.mail as timings, s.unsubscribe_token as "unsubscribeToken"
    from users u join notification_settings s on s.user_email = u.email
    where u.email = any(${emails})`.execute(db)
  return new Map(
    rows.map(({ zone, ...row }) => [row.email, { ...row, timeZone: zoneOf(zone, workspaceTimeZone) }]),
  )
}

/** The stored time zone of a user. Clients may have stored anything before it had a meaning. */
export const zoneOf = (stored: string | null, workspaceTimeZone: string): string =>
  stored && isTimeZone(stored) ? stored : workspaceTimeZone
