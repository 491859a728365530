import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { contactColumns } from '#src/features/contacts/index.ts'
import type { CustomField } from '#src/features/fields/index.ts'
import { type CustomFieldMap, customCell, customName } from '#src/features/fields/index.ts'
import { nextStepCells, nextStepColumn } from '#src/features/next-steps/index.ts'
import { type ExportResult, exportCsv } from '#src/platform/csv/export.ts'
import { countExported } from '#src/platform/database/count-exported.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import type { Company } from '../schema.ts'
import { companyConditions } from '../selection/conditions.ts'
import type { Selection } from '../selection/selection.ts'
import { storedFields } from '../store.ts'
import { tagsCell } from '../tags.ts'

const BATCH_ROWS = 100
/** A batch ends with the row that exceeds this. */
const BATCH_BYTES = 2 * 1024 * 1024

type CustomName = `custom.${string}`
type StoredRow = Company & { thesis_code: string | null }
type ExportedCompany = Omit<StoredRow, 'tags' | 'next_step'> & { tags: string } & ReturnType<
    typeof nextStepCells
  > &
  Record<CustomName, unknown>

const COLUMNS: (keyof ExportedCompany)[] = [
  'id',
  'name',
  'website',
  'country',
  'country_code',
  'hq_city',
  'industry_category',
  'activity_description',
  'status',
  'thesis_code',
  'employee_count',
  'founded_year',
  'revenue_eur',
  'llm_score_overall',
  'llm_score_details',
  'executives',
  'financials',
  'tags',
  'owner_email',
  'decision_outcome',
  'revisit_on',
  'last_contact_at',
  'last_contact_by',
  'contacts_last_year',
  'next_step',
  'next_step_on',
  'created_at',
  'updated_at',
]

/**
 * The companies that match the filters as a CSV file, oldest first.
 * @param bom whether the file begins with a byte order mark
 * @param onEnd called once when the file ends
 */
export const exportCompaniesCsv = (
  db: Db,
  customFields: CustomFieldMap,
  filters: Selection,
  bom: boolean,
  onEnd: (result: ExportResult) => void,
): Promise<Readable> => {
  const fields = [...customFields.values()].filter(({ archived }) => !archived)
  return exportCsv<ExportedCompany>({
    bom,
    columns: [...COLUMNS, ...fields.map(({ key }) => customName(key) as CustomName)],
    readAfter: async (id) => (await readBatch(db, filters, id)).map((row) => withCells(fields, row)),
    onEnd,
  })
}

/** The row with the cells of its tags and custom fields. */
function withCells(fields: readonly CustomField[], row: StoredRow): ExportedCompany {
  const cells = fields.map((field) => [customName(field.key), customCell(field, row.custom[field.key])])
  return { ...row, ...nextStepCells(row), ...Object.fromEntries(cells), tags: tagsCell(row.tags) }
}

/** How many companies match the filters, counted only as far as the limit that needs a permission. */
export const countExportedCompanies = (db: Db, filters: Selection): Promise<number> =>
  countExported(db, sql`from companies where ${all(companyConditions(filters, 'index'))}`)

async function readBatch(db: Db, filters: Selection, after: string): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    with batch as materialized (
      select ${storedFields}, decision_outcome, revisit_on::text as revisit_on,
        ${contactColumns('company')}, ${nextStepColumn('company')}, (select code from theses where theses.id = thesis_id) as thesis_code
      from companies where ${all([...companyConditions(filters, 'scan'), sql`companies.id > ${after}`])}
      order by companies.id limit ${BATCH_ROWS}),
    measured as (select id, sum(octet_length(concat(activity_description, llm_score_details, executives, financials, custom)))
      over (order by id rows between unbounded preceding and 1 preceding) as bytes_before from batch)
    select batch.* from batch join measured using (id)
    where bytes_before is null or bytes_before < ${BATCH_BYTES} order by id`.execute(db)
  return rows
}
