import { sql } from 'kysely'
import { readLinks, targetsIn } from '#src/features/links/index.ts'
import { findTrashed, orTrashed } from '#src/features/trash/index.ts'
import { canSee, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { NotFound, orNotFound } from '#src/platform/errors.ts'
import { idsOf } from '#src/platform/ids.ts'
import { readNote, readStoredNote } from './store.ts'

/**
 * The note, which was looked up by an id from the path.
 * @throws NotFound if there is none or the viewer cannot see it. The message says whether it, or what it is about, is in the
 *   trash
 */
export async function requireNote(db: Db, viewer: Viewer, id: string): Promise<Json> {
  const note = await readNote(db, viewer, id)
  if (note !== undefined) return note
  const { rows } = await sql<{ isVisible: boolean }>`
    select ${canSee(viewer, sql`requested.id`)} as "isVisible" from (select ${id}::text as id) requested`.execute(
    db,
  )
  if (!rows[0]?.isVisible) return orNotFound<Json>(undefined, 'note', id)
  const stored = await readStoredNote(db, id)
  return stored
    ? throwHiddenByTrash(db, stored.parent_id ?? id, id)
    : orTrashed<Json>(db, undefined, 'note', id, viewer)
}

/** @throws NotFound that says which records in the trash hide a note */
async function throwHiddenByTrash(db: Db, linked: string, id: string): Promise<never> {
  const links = (await readLinks(db, [linked])).get(linked) ?? {}
  const trashed = [...(await findTrashed(db, idsOf(targetsIn(links, 'about')))).keys()]
  const [first = ''] = trashed
  throw new NotFound(
    trashed.length === 1
      ? `The note ${id} is about ${first}, which is in the trash. POST /api/trash/${first}/restore brings both back.`
      : `All records that the note ${id} is about are in the trash, such as ${first}. POST /api/trash/${first}/restore brings it and the note back.`,
  )
}
