import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type CustomFieldMap, customCell, customName } from '#src/features/fields/index.ts'
import { nextStepCells } from '#src/features/next-steps/index.ts'
import { type ExportResult, exportCsv } from '#src/platform/csv/export.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { Deal, DealQuery } from './schema.ts'
import { dealFields, dealSelection } from './store.ts'

const BATCH_ROWS = 100

type ExportedDeal = Deal & { company_website: string | null }
type Cells = Record<string, unknown> & { id: string }

const COLUMNS = [
  ...['id', 'company_id', 'company_name', 'company_website', 'stage', 'status', 'owner_email', 'amount_eur'],
  ...['round', 'valuation_eur', 'ownership_percent', 'probability', 'expected_close_on', 'source'],
  ...['source_type', 'source_id', 'source_name', 'lost_reason', 'notes', 'next_step', 'next_step_on'],
  ...['stage_entered_at', 'created_at', 'updated_at'],
]

/**
 * The ids of the deals that match, in the order of the list.
 * @throws InvalidInput for a filter, or a field to sort by, that is wrong
 */
export async function readExportedIds(db: Db, caller: FilterCaller, query: DealQuery): Promise<string[]> {
  const { where, order } = await dealSelection(db, caller, query)
  const { rows } = await sql<{ id: string }>`
    select id from dealflow where ${all(where)} ${order ?? sql`order by id desc`}`.execute(db)
  return idsOf(rows)
}

/**
 * Deals as a CSV file, in the order of their ids.
 * @param ids a deal that is deleted before its row is read is left out
 * @param bom whether the file begins with a byte order mark
 * @param onEnd called once when the file ends
 */
export function exportDealsCsv(
  db: Db,
  customFields: CustomFieldMap,
  ids: readonly string[],
  bom: boolean,
  onEnd: (result: ExportResult) => void,
): Promise<Readable> {
  const fields = [...customFields.values()].filter(({ archived }) => !archived)
  const withCells = ({ custom, ...deal }: ExportedDeal): Cells => ({
    ...deal,
    ...nextStepCells(deal),
    ...Object.fromEntries(
      fields.map((field) => [customName(field.key), customCell(field, custom[field.key])]),
    ),
  })
  let position = 0
  return exportCsv<Cells>({
    bom,
    columns: [...COLUMNS, ...fields.map(({ key }) => customName(key))],
    readAfter: async () => {
      let batch: ExportedDeal[] = []
      for (; batch.length === 0 && position < ids.length; position += BATCH_ROWS)
        batch = await readBatch(db, ids.slice(position, position + BATCH_ROWS))
      return batch.map(withCells)
    },
    onEnd,
  })
}

async function readBatch(db: Db, ids: readonly string[]): Promise<ExportedDeal[]> {
  const { rows } = await sql<ExportedDeal>`
    select ${dealFields}, (select website from companies where companies.id = dealflow.company_id) as company_website
    from dealflow where id = any(${[...ids]}::text[]) order by array_position(${[...ids]}::text[], id)`.execute(
    db,
  )
  return rows
}
