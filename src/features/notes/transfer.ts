import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import { requireTransfer } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { lockNotes } from './store.ts'
import type { NoteTransfer, TransferNotes } from './transfer-schema.ts'
import { writeChanges } from './write-changes.ts'

/**
 * Makes another user the author of the private notes of a user who is disabled, who could not give them away themselves.
 * Records it in the ledger and in the audit log.
 * @throws InvalidInput for a user who does not exist, or the same user twice; Conflict if the author is not disabled, or the
 *   new author is
 */
export const transferNotes = (
  db: Db,
  action: Action,
  { from, to }: TransferNotes,
  source: AuditSource,
): Promise<NoteTransfer> =>
  db.transaction().execute(async (transaction) => {
    await requireTransfer(transaction, { from, to }, `mention ${to} in the notes`)
    // A reply to the private note of someone else is part of their conversation.
    const { rows } = await sql<{ id: string }>`
      select id from notes where author_email = ${from} and visibility = 'private' and (parent_id is null
        or exists (select from notes parent where parent.id = notes.parent_id and parent.author_email = ${from}))`.execute(
      transaction,
    )
    const notes = await lockNotes(transaction, idsOf(rows))
    const changed = await writeChanges(
      transaction,
      action,
      notes.map((before) => ({ before, fields: { author_email: to } })),
    )
    await recordAudit(transaction, source, {
      event: 'notes_transferred',
      details: { from, to, notes: changed.length },
    })
    return { action_id: changed.length > 0 ? action.id : null, notes: changed.length }
  })
