import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { MailKind } from './table.ts'

/** A process that does not renew its claims has been killed, and others send its mails after this time. */
const CLAIM_SECONDS = 30
export const CLAIM_RENEWAL_MS = 10_000
const FIRST_PAUSE_SECONDS = 4
const MAX_PAUSE_SECONDS = 600
/** Mail servers give up on a message after this time too (RFC 5321, section 4.5.4.1). */
const GIVE_UP_DAYS = 5
const KEPT_DAYS = 30
const PRUNE_BATCH = 10_000

/** A mail that this process may send. */
export interface ClaimedMail {
  id: string
  user_email: string
  kind: MailKind
  notification_ids: string[]
}

/** Claims mails that are due, first due first. Other processes leave them alone while the claim is renewed. */
export async function claimMails(db: Db, limit: number): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select id from mails where next_attempt_at <= clock_timestamp()
      order by next_attempt_at, user_email limit ${limit} for update skip locked)
    update mails set attempts = attempts + 1, next_attempt_at = ${claimEnd}
    from due where mails.id = due.id
    returning mails.id, user_email, kind, notification_ids`.execute(db)
  return rows
}

const claimEnd = sql`clock_timestamp() + ${sql.lit(CLAIM_SECONDS)} * interval '1 second'`

export async function renewClaims(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update mails set next_attempt_at = ${claimEnd}
    where id = any(${ids}) and next_attempt_at is not null`.execute(db)
}

/** Lets other processes send mails that this one has not tried to send. */
export async function releaseMails(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update mails set next_attempt_at = clock_timestamp(), attempts = attempts - 1
    where id = any(${ids}) and next_attempt_at is not null`.execute(db)
}

export async function recordSent(db: Db, id: string): Promise<void> {
  await sql`
    update mails set sent_at = clock_timestamp(), next_attempt_at = null, error = null where id = ${id}`.execute(
    db,
  )
}

/** Ends a mail that is not sent: with an error, or because nothing is left to say. */
export async function recordEnd(db: Db, id: string, error: string | null): Promise<void> {
  await sql`update mails set next_attempt_at = null, error = ${error} where id = ${id}`.execute(db)
}

/**
 * Postpones a mail after a failure, for up to 10 minutes, or ends it after 5 days.
 * @param gives_up whether it ever ends. During an outage of the server, none does.
 * @returns whether it has ended
 */
export async function recordFailure(
  db: Db,
  id: string,
  error: string,
  { gives_up }: { gives_up: boolean },
): Promise<boolean> {
  const pause = sql`least(${sql.lit(MAX_PAUSE_SECONDS)},
    ${sql.lit(FIRST_PAUSE_SECONDS)} * power(2, least(attempts, 20) - 1)) * interval '1 second'`
  const isOver = sql`${gives_up} and created_at < now() - ${sql.lit(GIVE_UP_DAYS)} * interval '1 day'`
  const { rows } = await sql<{ has_ended: boolean }>`
    update mails set error = ${error}, next_attempt_at = case when ${isOver} then null else clock_timestamp() + ${pause} end
    where id = ${id} returning next_attempt_at is null as has_ended`.execute(db)
  return rows[0]?.has_ended ?? true
}

/** Deletes mails that ended more than 30 days ago. */
export async function deleteOldMails(db: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from mails where id in (
        select id from mails
        where next_attempt_at is null and created_at < now() - ${sql.lit(KEPT_DAYS)} * interval '1 day'
        limit ${PRUNE_BATCH})`.execute(db)
    if (numAffectedRows < PRUNE_BATCH) return
  }
}
