import { sql } from 'kysely'
import { endSessionsOf } from '#src/features/sessions/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isReadOnly } from '#src/platform/database/faults.ts'
import { Conflict, InvalidInput } from '#src/platform/errors.ts'
import { ROLES } from '#src/platform/schema/permissions.ts'
import { createUser } from './store.ts'

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
 * Changes a user's role, and disables or enables them. Disabling ends their sessions.
 * @param email of a user who exists, in lower case
 * @throws Conflict if no admin would be left who is not disabled
 */
export async function changeAccess(
  db: Db,
  email: string,
  { role, disabled }: UserAccessPatch,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows: admins } = await sql<{ email: string }>`
      select email from users where role = 'admin' and disabled_at is null order by email for update`.execute(
      transaction,
    )
    const losesAdmin = disabled === true || (role !== undefined && role !== 'admin')
    if (losesAdmin && admins.length === 1 && admins[0]?.email === email)
      throw new Conflict(`${email} is the last admin who is not disabled. Make another user an admin first.`)
    await sql`
      update users set role = coalesce(${role ?? null}, role),
        disabled_at = case when ${disabled ?? null}::boolean then now()
          when ${disabled ?? null}::boolean is null then disabled_at end,
        access_changed_at = clock_timestamp(), updated_at = now()
      where email = ${email}`.execute(transaction)
    if (disabled) await endSessionsOf(transaction, email)
  })
}

/** Makes these users (in lower case) admins, and creates those who do not exist. */
export async function promoteAdmins(db: Db, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return
  try {
    for (const email of emails) await createUser(db, email)
    await sql`
      update users set role = 'admin', access_changed_at = clock_timestamp(), updated_at = now()
      where email = any(${emails}) and role <> 'admin'`.execute(db)
  } catch (error) {
    // They were promoted when the database was last writable, or are at the next start.
    if (!isReadOnly(error)) throw error
  }
}
