import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { NotFound } from '#src/platform/errors.ts'
import { revokeCalendarOf } from './store.ts'

/**
 * Revokes a user's address, and records that in the audit log.
 * @throws NotFound if there is none
 */
export async function deleteCalendar(db: Db, source: AuditSource, email: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await revokeCalendarOf(transaction, email)))
      throw new NotFound('You have no calendar address. POST /api/calendar creates one.')
    await recordAudit(transaction, source, { event: 'calendar_revoked', details: { user_email: email } })
  })
}
