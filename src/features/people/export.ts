import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { tagsCell } from '#src/features/companies/index.ts'
import { type CustomFieldMap, customCell, customName } from '#src/features/fields/index.ts'
import { nextStepCells } from '#src/features/next-steps/index.ts'
import { type ExportResult, exportCsv } from '#src/platform/csv/export.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import type { Person } from './schema.ts'
import { personFields } from './store.ts'

const BATCH_ROWS = 100

type Cells = Record<string, unknown> & { id: string }

const COLUMNS = [
  ...['id', 'name', 'emails', 'phones', 'links', 'headline', 'location', 'tags', 'owner_email', 'companies'],
  ...['last_contact_at', 'last_contact_by', 'contacts_last_year', 'next_step', 'next_step_on'],
  ...['created_at', 'updated_at'],
]

/**
 * The people that meet the conditions as a CSV file, oldest first.
 * @param bom whether the file begins with a byte order mark
 * @param onEnd called once when the file ends
 */
export function exportPeopleCsv(
  db: Db,
  customFields: CustomFieldMap,
  where: RawBuilder<unknown>[],
  bom: boolean,
  onEnd: (result: ExportResult) => void,
): Promise<Readable> {
  const fields = [...customFields.values()].filter(({ archived }) => !archived)
  const withCells = ({ emails, phones, links, tags, custom, ...person }: Person): Cells => ({
    ...person,
    ...nextStepCells(person),
    ...Object.fromEntries(
      Object.entries({ emails, phones, links }).map(([name, values]) => [name, values.join('; ')]),
    ),
    tags: tagsCell(tags),
    ...Object.fromEntries(
      fields.map((field) => [customName(field.key), customCell(field, custom[field.key])]),
    ),
  })
  return exportCsv<Cells>({
    bom,
    columns: [...COLUMNS, ...fields.map(({ key }) => customName(key))],
    readAfter: async (id) => (await readBatch(db, where, id)).map(withCells),
    onEnd,
  })
}

async function readBatch(db: Db, where: RawBuilder<unknown>[], after: string): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select ${personFields} from people where ${all([...where, sql`people.id > ${after}`])}
    order by people.id limit ${BATCH_ROWS}`.execute(db)
  return rows
}
