import { sql } from 'kysely'
import { type AuditedEvent, type AuditSource, recordAudit } from '#src/features/audit/store.ts'
import { endSessionsOf } from '#src/features/sessions/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict, InvalidInput } from '#src/platform/errors.ts'
import { PSEUDONYM } from '#src/platform/identity/pseudonym.ts'
import { ROLES } from '#src/platform/schema/permissions.ts'

export interface UserAccessPatch {
  role?: string | undefined
  disabled?: boolean | undefined
}

/** What a patch changes of a user's role and access; a value sent back unchanged is no change. */
export function accessChanges(
  before: { role: string; disabled: boolean },
  { role, disabled }: UserAccessPatch,
): UserAccessPatch {
  const changes: UserAccessPatch = {}
  if (role !== undefined && role !== before.role) changes.role = role
  if (disabled !== undefined && disabled !== before.disabled) changes.disabled = disabled
  if (changes.role !== undefined && !(ROLES as readonly string[]).includes(changes.role))
    throw new InvalidInput(`role must be one of ${ROLES.join(', ')}, not "${changes.role.slice(0, 100)}".`)
  return changes
}

/**
 * Changes a user's role, and disables or enables them, and records that in the audit log. Disabling ends their sessions.
 * @param source the request
 * @param email of a user who exists, in lower case
 * @throws Conflict if no admin would be left who is not disabled, and for an erased person
 */
export async function changeAccess(
  db: Db,
  source: AuditSource,
  email: string,
  patch: UserAccessPatch,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await recordAudit(transaction, source, ...(await changeAccessWithin(transaction, email, patch)))
  })
}

/**
 * The same as part of a transaction.
 * @returns the events, to be recorded at the end of the transaction; none without such a user
 */
export async function changeAccessWithin(
  transaction: Db,
  email: string,
  patch: UserAccessPatch,
): Promise<AuditedEvent[]> {
  if (PSEUDONYM.test(email))
    throw new Conflict(`${email} stands for an erased person, whose role and access cannot be changed.`)
  const { rows: admins } = await sql<{ email: string }>`
    select email from users where role = 'admin' and disabled_at is null order by email for update`.execute(
    transaction,
  )
  const { rows } = await sql<{ role: string; disabled: boolean }>`
    select role, disabled_at is not null as disabled from users where email = ${email} for update`.execute(
    transaction,
  )
  if (!rows[0]) return []
  const { role, disabled } = accessChanges(rows[0], patch)
  const losesAdmin = disabled === true || role !== undefined
  if (losesAdmin && admins.length === 1 && admins[0]?.email === email)
    throw new Conflict(`${email} is the last admin who is not disabled. Make another user an admin first.`)
  await sql`
    update users set role = coalesce(${role ?? null}, role),
      disabled_at = case when ${disabled ?? null}::boolean then now()
        when ${disabled ?? null}::boolean is null then disabled_at end,
      access_changed_at = clock_timestamp(), updated_at = now()
    where email = ${email}`.execute(transaction)
  const session_ids = disabled ? await endSessionsOf(transaction, email) : []
  return eventsOf(email, rows[0].role, { role, disabled }, session_ids)
}

function eventsOf(
  user_email: string,
  from: string,
  { role, disabled }: UserAccessPatch,
  session_ids: string[],
): AuditedEvent[] {
  const events: AuditedEvent[] = []
  if (role !== undefined) events.push({ event: 'role_changed', details: { user_email, from, to: role } })
  if (disabled === true) events.push({ event: 'user_disabled', details: { user_email, session_ids } })
  if (disabled === false) events.push({ event: 'user_enabled', details: { user_email } })
  return events
}
