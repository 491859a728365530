import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type AuditedEvent, NO_REQUEST, recordAudit } from '#src/features/audit/index.ts'
import type { Config } from '#src/platform/config/config.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isReadOnly } from '#src/platform/database/errors.ts'
import type { AccessState } from '#src/platform/identity/access-state.ts'
import { createUser } from './create.ts'

/**
 * Makes the users of ADMIN_EMAILS admins, except those who were erased, and warns if there is no admin where roles are
 * enforced.
 */
export async function promoteFirstAdmins({
  access,
  backgroundDb,
  config,
  log,
}: {
  access: AccessState
  backgroundDb: Db
  config: Config
  log: Logger
}): Promise<void> {
  await access.applyChange()
  const { adminEmails } = config.authentication
  const present = adminEmails.filter((email) => !access.isErased(email))
  if (present.length < adminEmails.length)
    log.warn('ADMIN_EMAILS names a user who was erased: remove the address')
  await promoteAdmins(backgroundDb, present)
  await access.applyChange()
  if (config.enforceRoles && access.hasAdmin() === false)
    log.warn('there is no admin, so no one can change roles or lock users out: set ADMIN_EMAILS')
}

/** Makes these users (in lower case) admins, and creates those who do not exist. */
async function promoteAdmins(db: Db, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return
  try {
    await db.transaction().execute(async (transaction) => {
      for (const email of emails.toSorted()) await createUser(transaction, email)
      const { rows } = await sql<{ user_email: string; from: string }>`
        with former as (
          select email, role from users where email = any(${emails}) and role <> 'admin' order by email for update)
        update users set role = 'admin', access_changed_at = clock_timestamp(), updated_at = now()
        from former where users.email = former.email returning users.email as user_email, former.role as "from"`.execute(
        transaction,
      )
      const events = rows.map(
        (row): AuditedEvent => ({
          event: 'role_changed',
          details: { ...row, to: 'admin', setting: 'ADMIN_EMAILS' },
        }),
      )
      await recordAudit(transaction, NO_REQUEST, ...events)
    })
  } catch (error) {
    // They were promoted when the database was last writable, or are at the next start.
    if (!isReadOnly(error)) throw error
  }
}
