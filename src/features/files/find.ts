import { sql } from 'kysely'
import { targetsIn } from '#src/features/links/index.ts'
import { findTrashed, orTrashed } from '#src/features/trash/index.ts'
import { canSee, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { NotFound, orNotFound } from '#src/platform/errors.ts'
import { idsOf } from '#src/platform/ids.ts'
import { readFile, readStoredFile } from './store.ts'

/**
 * The file, which was looked up by an id from the path.
 * @throws NotFound if there is none or the viewer cannot see it. The message says whether it, or what it is about, is in the
 *   trash
 */
export async function requireFile(db: Db, viewer: Viewer, id: string): Promise<Json> {
  const file = await readFile(db, viewer, id)
  if (file !== undefined) return file
  const { rows } = await sql<{ isVisible: boolean }>`
    select ${canSee(viewer, sql`requested.id`)} as "isVisible" from (select ${id}::text as id) requested`.execute(
    db,
  )
  if (!rows[0]?.isVisible) return orNotFound<Json>(undefined, 'file', id)
  const stored = await readStoredFile(db, id)
  if (!stored) return orTrashed<Json>(db, undefined, 'file', id, viewer)
  const trashed = [...(await findTrashed(db, idsOf(targetsIn(stored.links, 'about')))).keys()]
  const [first = ''] = trashed
  throw new NotFound(
    trashed.length === 1
      ? `The file ${id} is about ${first}, which is in the trash. POST /api/trash/${first}/restore brings both back.`
      : `All records that the file ${id} is about are in the trash, such as ${first}. POST /api/trash/${first}/restore brings it and the file back.`,
  )
}
