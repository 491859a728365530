import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { revokeCalendarOf } from './store.ts'

/** Revokes a user's address, if there is one, and records that in the audit log. */
export async function deleteCalendar(db: Db, source: AuditSource, email: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (await revokeCalendarOf(transaction, email))
      await recordAudit(transaction, source, { event: 'calendar_revoked', details: { user_email: email } })
  })
}
