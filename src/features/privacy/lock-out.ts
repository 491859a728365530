import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { newAction } from '#src/features/activity/index.ts'
import { type AuditedEvent, NO_REQUEST, recordAudit } from '#src/features/audit/index.ts'
import { revokeCalendarOf } from '#src/features/calendar/index.ts'
import { revokeKeysOf } from '#src/features/keys/index.ts'
import { endSessionsOf } from '#src/features/sessions/index.ts'
import { reassignTasksOf } from '#src/features/tasks/index.ts'
import { type AdminSettings, changeAccessWithin } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { DEFAULT_ROLE } from '#src/platform/http/security/permissions.ts'
import { newPseudonym } from '#src/platform/identity/pseudonym.ts'

/** Within this time all processes of the service refuse the person's credentials. */
const EFFECTIVE_MS = 1000

/**
 * Starts an erasure, or continues one that was interrupted: refuses all credentials of the person, ends their sessions,
 * revokes their keys, disables the user, and gives their open tasks to others.
 * @throws Conflict for the last admin, who keeps access
 */
export async function lockOut(
  db: Db,
  email: string,
  settings: AdminSettings,
): Promise<{ pseudonym: string; isResumed: boolean }> {
  const erasure = await db.transaction().execute(async (transaction) => {
    const started = await startErasure(transaction, email)
    const changes = await changeAccessWithin(
      transaction,
      email,
      { role: DEFAULT_ROLE, disabled: true },
      settings,
    )
    await reassignTasksOf(transaction, newAction('bulk_update', null), email)
    // Those that began after the user was disabled, or that have no user.
    const session_ids = await endSessionsOf(transaction, email)
    const keys = await revokeKeysOf(transaction, email)
    const hadCalendar = await revokeCalendarOf(transaction, email)
    const events: AuditedEvent[] = [
      ...changes,
      ...keys.map((key): AuditedEvent => ({ event: 'key_revoked', details: { ...key } })),
    ]
    if (hadCalendar) events.push({ event: 'calendar_revoked', details: { user_email: email } })
    if (session_ids.length > 0)
      events.push({ event: 'session_ended', details: { user_email: email, session_ids } })
    await recordAudit(transaction, NO_REQUEST, ...events)
    return started
  })
  await sleep(EFFECTIVE_MS)
  return erasure
}

/** The pseudonym of a new erasure, or of one that was interrupted. */
async function startErasure(db: Db, email: string): Promise<{ pseudonym: string; isResumed: boolean }> {
  const pseudonym = newPseudonym()
  const { rows } = await sql<{ pseudonym: string; isResumed: boolean }>`
    insert into erasures (pseudonym, email, address_hash)
    values (${pseudonym}, ${email}, ${hashOf(sql`${pseudonym}::text`, email)})
    on conflict (email) do update set address_hash = ${hashOf(sql`erasures.pseudonym`, email)}
    returning pseudonym, xmax <> 0 as "isResumed"`.execute(db)
  return rows[0] as { pseudonym: string; isResumed: boolean }
}

/** As `ErasedAddress` describes it. */
const hashOf = (pseudonym: RawBuilder<unknown>, email: string): RawBuilder<string> =>
  sql`encode(sha256(convert_to(${pseudonym} || ' ' || ${email}::text, 'UTF8')), 'hex')`

/**
 * Lets an erased person sign in again, as a new user, and records that.
 * @returns whether the person was locked out
 */
export async function readmitUser(db: Db, email: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows = 0n } = await sql`
      update erasures set address_hash = null
      where finished_at is not null and address_hash = ${hashOf(sql`pseudonym`, email)}`.execute(transaction)
    if (numAffectedRows === 0n) return false
    await recordAudit(transaction, NO_REQUEST, { event: 'user_enabled', details: { user_email: email } })
    return true
  })
}
