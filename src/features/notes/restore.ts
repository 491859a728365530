import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { copyFromTrash, lockEntries, type Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { noteActivity } from './write-changes.ts'

/**
 * Restores notes with the replies that were deleted with them, and with their links, which followed the merges of records. A
 * reply whose parent is gone stays in the trash.
 */
export async function restoreNotes(transaction: Db, action: Action, ids: string[]): Promise<Restoration> {
  const entries = await lockEntries(transaction, 'note', ids)
  if (entries.length === 0) return { restored: [], refused: [] }
  const orphans = await findOrphans(transaction, entries)
  const roots = entries.filter((id) => !orphans.has(id))
  const { rows } = await sql<{ id: string }>`
    select id from trash where id = any(${roots}) or (entity_type = 'note' and parent_id = any(${roots}))
    order by id for update`.execute(transaction)
  const restored = rows.map(({ id }) => id)
  await copyFromTrash(transaction, 'notes', sql`trash.id = any(${restored})`)
  await sql`delete from trash where id = any(${restored})`.execute(transaction)
  await sql`
    update notes set visibility = parent.visibility from notes parent
    where notes.id = any(${restored}) and parent.id = notes.parent_id and notes.visibility <> parent.visibility`.execute(
    transaction,
  )
  await recordAction(
    transaction,
    action,
    restored.map((id) => noteActivity('note_restored', id)),
  )
  const refused = [...orphans].map(([id, parent]) => ({
    id,
    reason: 'record_missing' as const,
    detail: `The note ${parent}, which ${id} is a reply to, is in the trash or purged. POST /api/trash/${parent}/restore brings it back first.`,
  }))
  return { restored, refused }
}

/** The replies whose parents are neither restored with them nor exist, with the ids of these. The others stay until the transaction ends. */
async function findOrphans(transaction: Db, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; parent: string }>`
    select id, content -> 'record' ->> 'parent_id' as parent from trash
    where id = any(${ids}) and content -> 'record' ->> 'parent_id' is not null`.execute(transaction)
  const parents = rows.map(({ parent }) => parent)
  const { rows: existing } = await sql<{ id: string }>`
    select id from notes where id = any(${parents}) order by id for no key update`.execute(transaction)
  const found = new Set([...existing.map(({ id }) => id), ...ids])
  return new Map(rows.filter(({ parent }) => !found.has(parent)).map(({ id, parent }) => [id, parent]))
}
