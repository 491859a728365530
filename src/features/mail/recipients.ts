import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { DEFAULT_DIGEST_HOUR, DEFAULT_MAIL } from '#src/features/notifications/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { CannotOpen, Keyring } from '#src/platform/encryption/keyring.ts'
import { isTimeZone } from '#src/platform/schema/time-zone.ts'
import { readToken, type StoredToken } from './unsubscribe-tokens.ts'

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

/** What reading recipients needs. */
export interface RecipientParts {
  db: Db
  /** Opens the tokens to unsubscribe with. */
  keyring: Keyring
  log: Pick<Logger, 'warn'>
  workspace: { timeZone: string }
}

type StoredRecipient = Omit<Recipient, 'timeZone' | 'unsubscribeToken'> &
  StoredToken & { zone: string | null }

/** The recipients by email address. Those without settings get some, with a token to unsubscribe with. */
export async function readRecipients(
  { db, keyring, log, workspace }: RecipientParts,
  emails: readonly string[],
): Promise<Map<string, Recipient>> {
  await sql`
    insert into notification_settings (user_email, unsubscribe_token)
    select email, null from users where email = any(${emails})
    on conflict do nothing`.execute(db)
  const { rows } = await sql<StoredRecipient>`
    select u.email, u.name, u.preferences ->> 'time_zone' as zone, ${getsMail} as "getsMail",
      ${JSON.stringify(DEFAULT_MAIL)}::jsonb || s.mail as timings, s.unsubscribe_token as plain, t.hash, t.sealed
    from users u join notification_settings s on s.user_email = u.email
      left join unsubscribe_tokens t on t.user_email = u.email and t.sealed is not null
    where u.email = any(${emails})`.execute(db)
  const recipients = new Map<string, Recipient>()
  const unreadable: CannotOpen[] = []
  for (const { zone, plain, hash, sealed, ...row } of rows) {
    const stored = { plain, hash, sealed }
    recipients.set(row.email, {
      ...row,
      timeZone: zoneOf(zone, workspace.timeZone),
      unsubscribeToken: await readToken(db, keyring, row.email, stored, (error) => unreadable.push(error)),
    })
  }
  if (unreadable[0])
    log.warn(
      { mails: unreadable.length },
      `${unreadable[0].message} Mails get new addresses to unsubscribe; those in earlier mails still work.`,
    )
  return recipients
}

/** The stored time zone of a user. Clients may have stored anything before it had a meaning. */
export const zoneOf = (stored: string | null, workspaceTimeZone: string): string =>
  stored && isTimeZone(stored) ? stored : workspaceTimeZone
