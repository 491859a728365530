import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { type ExportResult, exportCsv } from '#src/platform/csv/export.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import type { Decision } from './schema.ts'
import { decisionFields } from './store.ts'

const BATCH_ROWS = 100

type Cells = Record<string, unknown> & { id: string }

const COLUMNS = [
  ...['id', 'company_id', 'company_name', 'deal_id', 'outcome', 'reasons', 'body', 'asked', 'votes'],
  ...['decided_at', 'revisit_on', 'author_email', 'created_at', 'updated_at'],
]

/**
 * The decisions that meet the conditions as a CSV file, oldest first.
 * @param bom whether the file begins with a byte order mark
 * @param onEnd called once when the file ends
 */
export const exportDecisionsCsv = (
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

const cellsOf = ({ reasons, asked, votes, ...decision }: Decision): Cells => ({
  ...decision,
  reasons: reasons.join('; '),
  asked: asked.join('; '),
  votes: votes
    .map(({ user_email, vote, comment }) => `${user_email}: ${vote}${comment ? ` (${comment})` : ''}`)
    .join('; '),
})

async function readBatch(db: Db, where: RawBuilder<unknown>[], after: string): Promise<Decision[]> {
  const { rows } = await sql<Decision>`
    select ${decisionFields} from decisions where ${all([...where, sql`decisions.id > ${after}`])}
    order by decisions.id limit ${BATCH_ROWS}`.execute(db)
  return rows
}
