import type { Action } from '#src/features/activity/index.ts'
import { moveLinks, readLinkedRecords } from '#src/features/links/index.ts'
import { findHidden } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { lockNotes } from './store.ts'
import { writeChanges } from './write-changes.ts'

export interface NoteLinkMove {
  /** The records that notes are no longer about, and people who no longer took part, those first whose links are preferred. */
  from: string[]
  to: string
  /** Only these notes. */
  notes?: string[]
}

/**
 * Makes notes about some records, private ones too, notes about another one, and records it, so that an undo brings all links
 * back. Of people, this includes those who took part.
 * @returns the ids of those notes that the user of the action may see
 */
export async function moveNoteLinks(
  transaction: Db,
  action: Action,
  { from, to, notes }: NoteLinkMove,
): Promise<string[]> {
  const linked = await readLinkedRecords(transaction, from)
  const locked = await lockNotes(transaction, notes ? linked.filter((id) => notes.includes(id)) : linked)
  const changes = locked.map((before) => ({ before, links: moveLinks(before.links, from, to) }))
  const moved = await writeChanges(transaction, action, changes)
  const hidden = await findHidden(transaction, action.user, moved)
  return moved.filter((id) => !hidden.has(id))
}
