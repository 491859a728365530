import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { type ExportResult, exportCsv } from '#src/platform/csv/export.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { Task } from './schema.ts'
import { taskFields } from './store.ts'

const BATCH_ROWS = 500

type Cells = Record<string, unknown> & { id: string }

const COLUMNS = [
  ...['id', 'title', 'due_on', 'due_at', 'assignee_email', 'about', 'about_ids', 'repeat'],
  ...[
    'unless_contact_days',
    'last_contact_at',
    'done_at',
    'done_by',
    'author_email',
    'created_at',
    'updated_at',
  ],
]

/**
 * The tasks that meet the conditions as a CSV file, oldest first.
 * @param bom whether the file begins with a byte order mark
 * @param onEnd called once when the file ends
 */
export const exportTasksCsv = (
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

const cellsOf = ({ about, ...task }: Task): Cells => ({
  ...task,
  about: about.map(({ name }) => name).join('; '),
  about_ids: idsOf(about).join('; '),
})

async function readBatch(db: Db, where: RawBuilder<unknown>[], after: string): Promise<Task[]> {
  const { rows } = await sql<Task>`
    select ${taskFields} from tasks where ${all([...where, sql`tasks.id > ${after}`])}
    order by tasks.id limit ${BATCH_ROWS}`.execute(db)
  return rows
}
