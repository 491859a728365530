import { sql } from 'kysely'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { NotFound } from '#src/platform/errors.ts'
import { requireScanned } from './content.ts'
import { requireFile } from './find.ts'
import type { FileRecord } from './schema.ts'

interface FileText {
  text_state: FileRecord['text_state']
  pages: { page: number; text: string }[]
}

/**
 * The text of a file, page by page, or of one page.
 * @throws NotFound if the file is gone or hidden, or has been read and has no such page, Conflict before it is scanned or if it
 *   is infected
 */
export async function readFileText(
  db: Db,
  viewer: Viewer,
  id: string,
  page: number | undefined,
): Promise<FileText> {
  const file: FileRecord = JSON.parse(await requireFile(db, viewer, id))
  requireScanned(file)
  const { text_state, version, pages } = file
  const { rows } = await sql<FileText['pages'][number]>`
    select page, text from file_pages where file_id = ${id} and version = ${version}
      and (${page ?? null}::int is null or page = ${page ?? null}) order by page`.execute(db)
  if (page !== undefined && rows.length === 0 && text_state === 'done')
    throw new NotFound(
      page <= (pages ?? 0)
        ? `Page ${page} of the file ${id} was not read: only the first pages of a long file are.`
        : `The file ${id} has no page ${page}. It has ${pages === 1 ? '1 page' : `${pages ?? 0} pages`}.`,
    )
  return { text_state, pages: text_state === 'done' ? rows : [] }
}
