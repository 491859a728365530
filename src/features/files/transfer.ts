import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import { requireTransfer } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { lockFiles } from './store.ts'
import type { FileTransfer, TransferFiles } from './transfer-schema.ts'
import { writeChanges } from './write-changes.ts'

/**
 * Gives the private files of a user who is disabled, who could not share them themselves, to another user. Records it in the
 * ledger and in the audit log.
 * @throws InvalidInput for a user who does not exist, or the same user twice; Conflict if the uploader is not disabled, or the
 *   new one is
 */
export const transferFiles = (
  db: Db,
  action: Action,
  { from, to }: TransferFiles,
  source: AuditSource,
): Promise<FileTransfer> =>
  db.transaction().execute(async (transaction) => {
    await requireTransfer(transaction, { from, to }, 'show the files to the team')
    const { rows } = await sql<{ id: string }>`
      select id from files where uploaded_by = ${from} and visibility = 'private'`.execute(transaction)
    const files = await lockFiles(transaction, idsOf(rows))
    const changed = await writeChanges(
      transaction,
      action,
      files.map((before) => ({ before, fields: { uploaded_by: to } })),
    )
    await recordAudit(transaction, source, {
      event: 'files_transferred',
      details: { from, to, files: changed.length },
    })
    return { action_id: changed.length > 0 ? action.id : null, files: changed.length }
  })
