import { type Action, insertActivity } from '#src/features/activity/store.ts'
import { matchKey } from '#src/features/companies/match-key.ts'
import { NewCompany } from '#src/features/companies/schema.ts'
import type { CustomFieldMap } from '#src/features/custom-fields/store.ts'
import type { CsvRecord, CsvRow } from '#src/platform/csv/read.ts'
import type { Db } from '#src/platform/database/database.ts'
import { printable } from '#src/platform/errors.ts'
import { endLongTurn } from '#src/platform/event-loop.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { newId, siblingId } from '#src/platform/ids.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import { BatchWriter, type ImportParts } from './batch-writer.ts'
import { CellError, fieldsOf, type ImportedFields, type References } from './cells.ts'
import type { ImportColumns, ImportMapping } from './columns.ts'
import type { CustomColumns } from './custom-columns.ts'
import { ImportedFieldSet } from './new-fields.ts'
import type { PendingRow } from './plan.ts'
import { type ImportReport, MAX_MALFORMED_ROWS } from './schema.ts'

const MAX_BATCH_ROWS = 500
const MAX_ERRORS = 1000
/** The types of new custom fields are guessed from this many rows, or characters if these are fewer. */
const SAMPLE_ROWS = 1000
const SAMPLE_LENGTH = 2_000_000

export interface ImportOptions {
  dryRun: boolean
  onTrashed: 'skip' | 'restore'
  mapping: ImportMapping
  audit: ImportAudit
  /** Called when the header has been read. */
  onStart(importing: Import): Promise<void>
  /** @throws Forbidden if the user may not create custom fields */
  authorizeFields(): void
}

export type ImportCounts = BatchWriter['counts'] & { failed: number }

/** How an import that changed companies is audited. */
export interface ImportAudit {
  /** In the transaction that also records the activity. */
  finished(transaction: Db, counts: ImportCounts): Promise<void>
  /** With the counts of the batches that are stored. */
  interrupted(counts: ImportCounts): void
}

const fault = lazyValidator(NewCompany)

const lengthOf = (cells: string[]): number => cells.reduce((sum, cell) => sum + cell.length, 0)

/** An import that is running. */
export class Import {
  readonly #db: Db
  readonly #user: User | null
  /** Of the cells of a batch, in characters: large rows are written in smaller batches. */
  readonly #maxBatchLength: number
  readonly #dryRun: boolean
  readonly #audit: ImportAudit
  readonly #columns: ImportColumns
  readonly #customColumns: CustomColumns
  readonly #fieldSet: ImportedFieldSet
  /** The first rows, until the missing custom fields are created. */
  #sample: CsvRecord[] | undefined
  #sampleLength = 0
  readonly #references: References
  readonly id = newId('imp')
  readonly #action: Action
  readonly #errors: ImportReport['errors'] = []
  readonly #writer: BatchWriter
  #failed = 0
  #malformed = 0
  #stoppedAtRow: number | null = null
  #batch: PendingRow[] = []
  /** The custom fields when the first row of the batch was read. */
  #batchFields: CustomFieldMap
  #batchLength = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(
    parts: ImportParts,
    user: User | null,
    { dryRun, onTrashed, audit }: Pick<ImportOptions, 'dryRun' | 'onTrashed' | 'audit'>,
    columns: ImportColumns,
    customColumns: CustomColumns,
    references: References,
  ) {
    this.#db = parts.db
    this.#maxBatchLength = parts.longBatchLength
    this.#user = user
    this.#dryRun = dryRun
    this.#audit = audit
    this.#columns = columns
    this.#customColumns = customColumns
    this.#fieldSet = new ImportedFieldSet(
      { ...parts, dryRun },
      customColumns,
      parts.customFields.of('company'),
    )
    this.#batchFields = this.#fieldSet.fields
    if (this.#fieldSet.isIncomplete) this.#sample = []
    this.#references = references
    this.#action = { id: siblingId('ax', this.id), kind: 'import', via: 'import', user }
    this.#writer = new BatchWriter(parts, {
      action: this.#action,
      dryRun,
      onTrashed,
      importId: this.id,
      columns,
      reject: (row, message) => this.#fail(row, null, message),
    })
  }

  get isStopped(): boolean {
    return this.#stoppedAtRow !== null
  }

  async add(record: CsvRecord): Promise<void> {
    if (!this.#sample) return this.#read(record)
    this.#sample.push(record)
    if ('cells' in record) this.#sampleLength += lengthOf(record.cells)
    if (this.#sample.length >= SAMPLE_ROWS || this.#sampleLength >= SAMPLE_LENGTH) await this.#readSample()
  }

  /** Creates the missing custom fields, then reads the rows that were kept for it. */
  async #readSample(): Promise<void> {
    const records = this.#sample ?? []
    this.#sample = undefined
    await this.#fieldSet.createMissing(records.flatMap((record) => ('cells' in record ? [record.cells] : [])))
    for (const record of records) if (!this.isStopped) await this.#read(record)
  }

  async #read(record: CsvRecord): Promise<void> {
    if ('message' in record) {
      this.#fail(record.row, null, record.message)
      this.#malformed += 1
      if (this.#malformed === MAX_MALFORMED_ROWS) this.#stoppedAtRow = record.row
    } else {
      if (this.#customColumns.created.length > 0) await this.#fieldSet.learn(record.cells)
      this.#addRow(record)
    }
    if (this.#batch.length >= MAX_BATCH_ROWS || this.#batchLength >= this.#maxBatchLength) await this.#flush()
    await endLongTurn()
  }

  async finish(): Promise<ImportReport> {
    if (this.#sample) await this.#readSample()
    await this.#flush()
    await this.#writing
    const counts = this.counts
    if (this.#hasChanged)
      await this.#db.transaction().execute((transaction) => this.#record(transaction, counts))
    return {
      ...counts,
      action_id: this.changedBy,
      errors: this.#errors.toSorted((a, b) => a.row - b.row),
      errors_omitted: this.#failed - this.#errors.length,
      stopped_at_row: this.#stoppedAtRow,
      columns: { ...this.#columns.recognized, ...this.#customColumns.recognized },
      ignored_columns: this.#customColumns.ignored,
      new_fields: this.#fieldSet.created,
      dry_run: this.#dryRun,
    }
  }

  /** Audits what was imported before an error ended the import. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {})
    if (this.#hasChanged) this.#audit.interrupted(this.counts)
  }

  get counts(): ImportCounts {
    return { ...this.#writer.counts, failed: this.#failed }
  }

  /** The action that has changed companies; null if nothing has been changed. */
  get changedBy(): string | null {
    return this.#hasChanged ? this.#action.id : null
  }

  get #hasChanged(): boolean {
    const { created, updated, restored } = this.#writer.counts
    return !this.#dryRun && created + updated + restored > 0
  }

  async #record(transaction: Db, metadata: ImportCounts): Promise<void> {
    const activity = {
      activity_type: 'companies_imported',
      entity_type: 'company',
      entity_id: this.id,
      metadata,
    } as const
    await insertActivity(this.#user, [activity], this.#action).execute(transaction)
    await this.#audit.finished(transaction, metadata)
  }

  #addRow({ row, cells }: CsvRow): void {
    const length = lengthOf(cells)
    try {
      const fields: ImportedFields = fieldsOf(this.#columns, cells, this.#references)
      const custom = this.#customColumns.values(cells, this.#fieldSet.fields, this.#references.users)
      if (custom) fields.custom = custom
      const message = fault(fields)
      if (message) this.#fail(row, this.#columnOf(message), message)
      else {
        if (this.#batch.length === 0) this.#batchFields = this.#fieldSet.fields
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
    this.#writing = this.#writer.write(this.#batch, this.#batchFields)
    this.#batch = []
    this.#batchLength = 0
    // The next await of #writing throws the error.
    this.#writing.catch(() => {})
  }
}
