import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '#src/context.ts'
import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import type { CalendarFeed } from './schema.ts'
import { readCalendar, replaceToken } from './store.ts'

/** 192 random bits, which are 32 characters. */
const TOKEN_BYTES = 24

/** What is stored of a token, which is random enough that its hash needs no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * Gives a user a new secret address in place of the previous one, and records that in the audit log.
 * @returns the record with the address, which is not stored
 */
export async function createCalendar(
  { config, db }: Pick<Context, 'config' | 'db'>,
  source: AuditSource,
  email: string,
): Promise<CalendarFeed> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const feed = await db.transaction().execute(async (transaction) => {
    await replaceToken(transaction, email, hashToken(token))
    await recordAudit(transaction, source, { event: 'calendar_created', details: { user_email: email } })
    return readCalendar(transaction, email)
  })
  return { ...feed, url: `${config.publicUrl}/api/calendar/${token}.ics` }
}
