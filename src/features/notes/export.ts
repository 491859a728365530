import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { type ExportResult, exportCsv } from '#src/platform/csv/export.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import type { Note } from './schema.ts'
import { noteFields } from './store.ts'

const BATCH_ROWS = 100

type Cells = Record<string, unknown> & { id: string }

const COLUMNS = [
  ...['id', 'kind', 'title', 'body', 'happened_at', 'about', 'about_ids', 'participants', 'participant_ids'],
  ...['mentions', 'pinned', 'parent_id', 'visibility', 'author_email', 'source', 'created_at', 'updated_at'],
]

/**
 * The notes that meet the conditions as a CSV file, oldest first.
 * @param bom whether the file begins with a byte order mark
 * @param onEnd called once when the file ends
 */
export const exportNotesCsv = (
  db: Db,
  where: RawBuilder<unknown>[],
  bom: boolean,
  onEnd: (result: ExportResult) => void,
): Promise<Readable> =>
  exportCsv<Cells>({
    bom,
    columns: COLUMNS,
    readAfter: async (id) => (await readBatch(db, where, id)).map(cellsOf),
    onEnd,
  })

const joined = (values: readonly string[]): string => values.join('; ')

const cellsOf = ({ about, participants, mentions, ...note }: Note): Cells => ({
  ...note,
  about: joined(about.map(({ name }) => name)),
  about_ids: joined(about.map(({ id }) => id)),
  participants: joined(participants.map(({ name }) => name)),
  participant_ids: joined(participants.map(({ id }) => id)),
  mentions: joined(mentions),
  pinned: String(note.pinned),
})

async function readBatch(db: Db, where: RawBuilder<unknown>[], after: string): Promise<Note[]> {
  const { rows } = await sql<Note>`
    select ${noteFields} from notes where ${all([...where, sql`notes.id > ${after}`])}
    order by notes.id limit ${BATCH_ROWS}`.execute(db)
  return rows
}
