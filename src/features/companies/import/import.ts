import { setImmediate } from 'node:timers/promises'
import { type Action, insertActivity } from '#src/features/activity/store.ts'
import { matchKey } from '#src/features/companies/match-key.ts'
import { NewCompany } from '#src/features/companies/schema.ts'
import { thesisIdsByCode } from '#src/features/theses/store.ts'
import { type CsvRecord, type CsvRow, readCsv } from '#src/platform/csv/read.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput, printable } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { newId, siblingId } from '#src/platform/ids.ts'
import { compileValidator } from '#src/platform/schema/validate.ts'
import { BatchWriter, type ImportParts } from './batch-writer.ts'
import { CellError, fieldsOf } from './cells.ts'
import { ImportColumns, type ImportMapping } from './columns.ts'
import type { PendingRow } from './plan.ts'
import { type ImportReport, MAX_MALFORMED_ROWS } from './schema.ts'

const MAX_BATCH_ROWS = 500
/** Characters in the cells of a batch: large rows are written in smaller batches. */
const MAX_BATCH_LENGTH = 2_000_000
const MAX_ERRORS = 1000
/** The import yields to other requests after this many rows. */
const ROWS_PER_TURN = 50
/** The same for large rows, in characters. */
const LENGTH_PER_TURN = 64 * 1024

export interface ImportOptions {
  dryRun: boolean
  onTrashed: 'skip' | 'restore'
  mapping: ImportMapping
  audit: ImportAudit
}

export type ImportCounts = BatchWriter['counts'] & { failed: number }

/** How an import that changed companies is audited. */
export interface ImportAudit {
  /** In the transaction that also records the activity. */
  finished(transaction: Db, counts: ImportCounts): Promise<void>
  /** With the counts of the batches that are stored. */
  interrupted(counts: ImportCounts): void
}

/**
 * Imports a CSV file while it arrives. Each batch of rows is one transaction. Stops reading, and reports so, after
 * `MAX_MALFORMED_ROWS` rows that are not valid CSV.
 * @throws InvalidInput when the file has no header, no column has names, or the mapping does not fit the columns
 */
export async function importCsv(
  parts: ImportParts,
  user: User | null,
  file: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportReport> {
  let importing: Import | undefined
  try {
    for await (const records of readCsv(file)) {
      for (const record of records) {
        if (importing) await importing.add(record)
        else importing = await startImport(parts, user, record, options)
        if (importing.isStopped) return await importing.finish()
      }
    }
    if (!importing) throw new InvalidInput('The file is empty; its first line must name its columns.')
    return await importing.finish()
  } catch (error) {
    await importing?.abandon()
    throw error
  }
}

async function startImport(
  parts: ImportParts,
  user: User | null,
  header: CsvRecord,
  { mapping, ...options }: ImportOptions,
): Promise<Import> {
  if (!('cells' in header) || !isHeader(header.cells))
    throw new InvalidInput(
      `The header of the file cannot be read. ${'message' in header ? header.message : HEADER_LIMITS}`,
    )
  const columns = new ImportColumns(header.cells, mapping)
  return new Import(parts, user, options, columns, await thesisIdsByCode(parts.db))
}

const HEADER_LIMITS = 'It may have 1,000 columns, with names of up to 200 characters.'
const isHeader = (cells: string[]) => cells.length <= 1000 && cells.every((cell) => cell.length <= 200)

const fault = compileValidator(NewCompany)

class Import {
  readonly #db: Db
  readonly #user: User | null
  readonly #dryRun: boolean
  readonly #audit: ImportAudit
  readonly #columns: ImportColumns
  readonly #theses: Map<string, string>
  readonly #id = newId('imp')
  readonly #action: Action
  readonly #errors: ImportReport['errors'] = []
  readonly #writer: BatchWriter
  #failed = 0
  #malformed = 0
  #stoppedAtRow: number | null = null
  #batch: PendingRow[] = []
  #batchLength = 0
  #turn = { rows: 0, length: 0 }
  #writing: Promise<void> = Promise.resolve()

  constructor(
    parts: ImportParts,
    user: User | null,
    { dryRun, onTrashed, audit }: Omit<ImportOptions, 'mapping'>,
    columns: ImportColumns,
    theses: Map<string, string>,
  ) {
    this.#db = parts.db
    this.#user = user
    this.#dryRun = dryRun
    this.#audit = audit
    this.#columns = columns
    this.#theses = theses
    this.#action = { id: siblingId('ax', this.#id), kind: 'import', via: 'import', user }
    this.#writer = new BatchWriter(parts, {
      action: this.#action,
      dryRun,
      onTrashed,
      importId: this.#id,
      columns,
      reject: (row, message) => this.#fail(row, null, message),
    })
  }

  get isStopped(): boolean {
    return this.#stoppedAtRow !== null
  }

  async add(record: CsvRecord): Promise<void> {
    if ('message' in record) {
      this.#fail(record.row, null, record.message)
      this.#malformed += 1
      if (this.#malformed === MAX_MALFORMED_ROWS) this.#stoppedAtRow = record.row
    } else this.#addRow(record)
    if (this.#batch.length >= MAX_BATCH_ROWS || this.#batchLength >= MAX_BATCH_LENGTH) await this.#flush()
    this.#turn.rows += 1
    if (this.#turn.rows < ROWS_PER_TURN && this.#turn.length < LENGTH_PER_TURN) return
    this.#turn = { rows: 0, length: 0 }
    await setImmediate()
  }

  async finish(): Promise<ImportReport> {
    await this.#flush()
    await this.#writing
    const counts = this.#counts
    if (this.#hasChanged)
      await this.#db.transaction().execute((transaction) => this.#record(transaction, counts))
    return {
      ...counts,
      action_id: this.#hasChanged ? this.#action.id : null,
      errors: this.#errors.toSorted((a, b) => a.row - b.row),
      errors_omitted: this.#failed - this.#errors.length,
      stopped_at_row: this.#stoppedAtRow,
      columns: this.#columns.recognized,
      ignored_columns: this.#columns.ignored,
      dry_run: this.#dryRun,
    }
  }

  /** Audits what was imported before an error ended the import. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {})
    if (this.#hasChanged) this.#audit.interrupted(this.#counts)
  }

  get #counts(): ImportCounts {
    return { ...this.#writer.counts, failed: this.#failed }
  }

  get #hasChanged(): boolean {
    const { created, updated, restored } = this.#writer.counts
    return !this.#dryRun && created + updated + restored > 0
  }

  async #record(transaction: Db, metadata: ImportCounts): Promise<void> {
    const activity = {
      activity_type: 'companies_imported',
      entity_type: 'company',
      entity_id: this.#id,
      metadata,
    } as const
    await insertActivity(this.#user, [activity], this.#action).execute(transaction)
    await this.#audit.finished(transaction, metadata)
  }

  #addRow({ row, cells }: CsvRow): void {
    const length = cells.reduce((sum, cell) => sum + cell.length, 0)
    this.#turn.length += length
    try {
      const fields = fieldsOf(this.#columns, cells, this.#theses)
      const message = fault(fields)
      if (message) this.#fail(row, this.#columnOf(message), message)
      else {
        this.#batch.push({ row, cells, fields, key: matchKey(fields), id: this.#columns.id(cells) })
        this.#batchLength += length
      }
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      this.#fail(row, error.column, error.message)
    }
  }

  #fail(row: number, column: string | null, message: string): void {
    this.#failed += 1
    if (this.#errors.length < MAX_ERRORS) this.#errors.push({ row, column, message: printable(message) })
  }

  /** The column of the field that a validation message begins with. */
  #columnOf(message: string): string | null {
    const field = message.match(/^\w+/)?.[0] ?? ''
    return this.#columns.recognized[field]?.[0] ?? null
  }

  /** Starts writing the batch once the previous one is written. The next rows are read during the write. */
  async #flush(): Promise<void> {
    await this.#writing
    this.#writing = this.#writer.write(this.#batch)
    this.#batch = []
    this.#batchLength = 0
    // The next await of #writing throws the error.
    this.#writing.catch(() => {})
  }
}
