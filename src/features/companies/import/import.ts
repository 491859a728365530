import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { insertActivity, recordActivity } from '#src/features/activity/store.ts'
import { sourceKey } from '#src/features/companies/files.ts'
import { matchKey } from '#src/features/companies/match-key.ts'
import { NewCompany } from '#src/features/companies/schema.ts'
import { insertCompanies, lockCompanies, updateCompanies } from '#src/features/companies/store.ts'
import { companyActivity } from '#src/features/companies/write.ts'
import { thesisIdsByCode } from '#src/features/theses/store.ts'
import { type CsvError, type CsvRow, readCsv } from '#src/platform/csv/csv.ts'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput, printable, Unavailable } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { newId } from '#src/platform/ids.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { faultOf } from '#src/platform/schema/validate.ts'
import { CellError, fieldsOf } from './cells.ts'
import { ImportColumns, type ImportMapping } from './columns.ts'
import { ImportPlanner, type Known, type PendingRow, type Plan } from './plan.ts'
import type { ImportReport } from './schema.ts'

const BATCH_ROWS = 500
const MAX_ERRORS = 1000
/** After so many rows others get their turn: requests, and this import's own database. */
const ROWS_A_TURN = 50

let lastWrite: Promise<void> = Promise.resolve()

export interface ImportOptions {
  dryRun: boolean
  mapping: ImportMapping
}

interface Parts {
  db: Db
  objects: Objects
}

/**
 * Imports a CSV file as it arrives, a batch of rows a transaction.
 * @throws InvalidInput when the file has no header or no column with names, or the mapping does not fit it
 */
export async function importCsv(
  parts: Parts,
  user: User | null,
  file: AsyncIterable<Buffer>,
  { dryRun, mapping }: ImportOptions,
): Promise<ImportReport> {
  let importing: Import | undefined
  for await (const record of readCsv(file)) {
    if (importing) await importing.add(record)
    else if ('cells' in record && isHeader(record.cells))
      importing = new Import(
        parts,
        user,
        dryRun,
        new ImportColumns(record.cells, mapping),
        await thesisIdsByCode(parts.db),
      )
    else
      throw new InvalidInput(
        `The header of the file cannot be read. ${'message' in record ? record.message : HEADER_LIMITS}`,
      )
  }
  if (!importing) throw new InvalidInput('The file is empty; its first line must name its columns.')
  return importing.finish()
}

const HEADER_LIMITS = 'It may have 1,000 columns, with names of up to 200 characters.'
const isHeader = (cells: string[]) => cells.length <= 1000 && cells.every((cell) => cell.length <= 200)

const fault = faultOf(NewCompany)

class Import {
  readonly #db: Db
  readonly #objects: Objects
  readonly #user: User | null
  readonly #dryRun: boolean
  readonly #columns: ImportColumns
  readonly #theses: Map<string, string>
  readonly #id = newId('imp')
  readonly #errors: ImportReport['errors'] = []
  readonly #counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  readonly #planner: ImportPlanner
  #batch: PendingRow[] = []
  #writing: Promise<void> = Promise.resolve()

  constructor(
    { db, objects }: Parts,
    user: User | null,
    dryRun: boolean,
    columns: ImportColumns,
    theses: Map<string, string>,
  ) {
    this.#db = db
    this.#objects = objects
    this.#user = user
    this.#dryRun = dryRun
    this.#columns = columns
    this.#theses = theses
    this.#planner = new ImportPlanner(dryRun)
  }

  async add(record: CsvRow | CsvError): Promise<void> {
    if ('message' in record) return this.#fail(record.row, null, record.message)
    const { row, cells } = record
    try {
      const fields = fieldsOf(this.#columns, cells, this.#theses)
      const message = fault(fields)
      if (message) return this.#fail(row, this.#columnOf(message), message)
      this.#batch.push({ row, cells, fields, key: matchKey(fields), id: this.#columns.id(cells) })
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      return this.#fail(row, error.column, error.message)
    }
    if (this.#batch.length % ROWS_A_TURN === 0) await setImmediate()
    if (this.#batch.length >= BATCH_ROWS) await this.#flush()
  }

  async finish(): Promise<ImportReport> {
    await this.#flush()
    await this.#writing
    const { created, updated } = this.#counts
    if (!this.#dryRun && created + updated > 0)
      await recordActivity(this.#db, this.#user, [
        {
          activity_type: 'companies_imported',
          entity_type: 'company',
          entity_id: this.#id,
          metadata: { ...this.#counts },
        },
      ])
    return {
      ...this.#counts,
      errors: this.#errors,
      errors_omitted: this.#counts.failed - this.#errors.length,
      columns: this.#columns.recognized,
      ignored_columns: this.#columns.ignored,
      dry_run: this.#dryRun,
    }
  }

  #fail(row: number, column: string | null, message: string): void {
    this.#counts.failed += 1
    if (this.#errors.length < MAX_ERRORS) this.#errors.push({ row, column, message: printable(message) })
  }

  /** The column of the field that a message of the schema begins with. */
  #columnOf(message: string): string | null {
    const field = message.match(/^\w+/)?.[0] ?? ''
    return this.#columns.recognized[field]?.[0] ?? null
  }

  /** Begins to write the batch; the next one is read meanwhile, and waits its turn here. */
  async #flush(): Promise<void> {
    await this.#writing
    this.#writing = this.#write(this.#batch)
    this.#batch = []
    // Whoever awaits the writing next is told of its failure.
    this.#writing.catch(() => {})
  }

  /** Imports of this process wait for each other here, and not with a database connection in hand. */
  async #write(rows: PendingRow[]): Promise<void> {
    const turn = lastWrite.then(() => this.#writeNow(rows))
    lastWrite = turn.catch(() => {})
    return turn
  }

  async #writeNow(rows: PendingRow[]): Promise<void> {
    if (rows.length === 0) return
    const plan = this.#dryRun
      ? this.#planner.plan(rows, await this.#known(this.#db, rows))
      : await this.#db.transaction().execute(async (transaction) => {
          // Imports write in turns, so that two of one file cannot both create a company.
          await takeLock(transaction, 'import')
          const plan = this.#planner.plan(rows, await this.#known(transaction, rows))
          await this.#store(transaction, plan)
          return plan
        })
    this.#counts.created += plan.created.size
    this.#counts.updated += plan.updates
    this.#counts.unchanged += rows.length - plan.created.size - plan.updates
  }

  /** The existing companies of the rows' ids and keys; of several with one key, the oldest. */
  async #known(db: Db, rows: PendingRow[]): Promise<Known> {
    const keys = [...new Set(rows.map(({ key }) => key))]
    const ids = rows.map(({ id }) => id).filter((id) => id !== undefined)
    const where =
      ids.length > 0
        ? sql`match_key = any(${keys}) or companies.id = any(${ids})`
        : sql`match_key = any(${keys})`
    const companies = await lockCompanies(db, where)
    return {
      byId: new Map(companies.map((company) => [company.id, company])),
      byKey: new Map(companies.reverse().map((company) => [company.match_key, company])),
    }
  }

  /** Files are whole before the transaction ends: a crash may leave a newer or a needless file, never a company without. */
  async #store(db: Db, plan: Plan): Promise<void> {
    const files = this.#objects.write(this.#sourceFiles(plan)).catch((error) => {
      throw new Unavailable('The object storage, which keeps the source rows, cannot be written.', {
        cause: error,
      })
    })
    await Promise.all([this.#storeRows(db, plan), files])
  }

  *#sourceFiles({ sources }: Plan): Generator<[string, string]> {
    for (const [id, cells] of sources) yield [sourceKey(id), this.#columns.source(cells)]
  }

  async #storeRows(db: Db, { created, updated }: Plan): Promise<void> {
    if (created.size > 0) {
      const activities = [...created.keys()].map((id) =>
        companyActivity('company_created', id, { import_id: this.#id }),
      )
      await sql`with inserted as (${insertCompanies([...created.values()])})
        ${insertActivity(this.#user, activities)}`.execute(db)
    }
    if (updated.size > 0) {
      const activities = [...updated].map(([id, { changed }]) =>
        companyActivity('company_updated', id, { fields: changed, import_id: this.#id }),
      )
      await sql`with changed as (${updateCompanies([...updated.values()].map(({ company }) => company))})
        ${insertActivity(this.#user, activities)}`.execute(db)
    }
  }
}
