import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Company, CompanyFilters } from '#src/features/companies/schema.ts'
import { storedFields } from '#src/features/companies/store.ts'
import { escapeFormula, writeCsv } from '#src/platform/csv/write.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { PERMISSIONS } from '#src/platform/schema/permissions.ts'
import { companyConditions } from './filters.ts'

const BATCH_ROWS = 1000
const COUNT_LIMIT = PERMISSIONS.export.beyond.records + 1
/** A batch ends with the row that exceeds this. */
const BATCH_BYTES = 4 * 1024 * 1024

type ExportedCompany = Company & { thesis_code: string | null }

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
  'created_at',
  'updated_at',
]

/** What was exported. An export that failed or whose client disconnected is not complete. */
interface ExportResult {
  rows: number
  complete: boolean
}

/**
 * The companies that match the filters as a CSV file, oldest first. Holds one batch in memory at a time.
 * @param onEnd called once when the file ends
 */
export async function exportCsv(
  db: Db,
  filters: CompanyFilters,
  onEnd: (result: ExportResult) => void,
): Promise<Readable> {
  // The first batch is read before the response starts, so a database error still becomes a status code.
  const first = await readBatch(db, filters, '')
  return Readable.from(lines(db, filters, first, onEnd), { objectMode: false })
}

/** How many companies match the filters, counted only as far as the limit that needs a permission. */
export async function countExported(db: Db, filters: CompanyFilters): Promise<number> {
  const matching = sql`select from companies where ${all(companyConditions(filters, 'index'))} limit ${COUNT_LIMIT}`
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${matching}) matching`.execute(db)
  return rows[0]?.count ?? 0
}

async function* lines(
  db: Db,
  filters: CompanyFilters,
  first: ExportedCompany[],
  onEnd: (result: ExportResult) => void,
): AsyncGenerator<string> {
  const result = { rows: 0, complete: false }
  try {
    yield writeCsv([COLUMNS])
    let batch = first
    while (batch.length > 0) {
      result.rows += batch.length
      yield writeCsv(batch.map((company) => COLUMNS.map((column) => formatCell(company[column]))))
      batch = await readBatch(db, filters, batch.at(-1)?.id ?? '')
    }
    result.complete = true
  } finally {
    onEnd(result)
  }
}

async function readBatch(db: Db, filters: CompanyFilters, after: string): Promise<ExportedCompany[]> {
  const { rows } = await sql<ExportedCompany>`
    with batch as materialized (
      select ${storedFields}, (select code from theses where theses.id = thesis_id) as thesis_code
      from companies where ${all([...companyConditions(filters, 'scan'), sql`companies.id > ${after}`])}
      order by companies.id limit ${BATCH_ROWS}),
    measured as (select id, sum(octet_length(concat(activity_description, llm_score_details, executives, financials)))
      over (order by id rows between unbounded preceding and 1 preceding) as bytes_before from batch)
    select batch.* from batch join measured using (id)
    where bytes_before is null or bytes_before < ${BATCH_BYTES} order by id`.execute(db)
  return rows
}

function formatCell(value: unknown): unknown {
  if (typeof value === 'string') return escapeFormula(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
