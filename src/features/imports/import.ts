import { type Action, insertActivity } from '#src/features/activity/index.ts'
import { restoreCompanies } from '#src/features/companies/index.ts'
import type { CustomFieldMap } from '#src/features/fields/index.ts'
import { companyAttachment } from '#src/features/merge/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { newId, siblingId } from '#src/platform/ids.ts'
import { BatchWriter, type ImportParts } from './batch-writer.ts'
import type { FileRow } from './file-rows.ts'
import type {
  ImportAudit,
  ImportChoices,
  ImportCounts,
  ImportRequest,
  PreparedFile,
} from './import-options.ts'
import type { FileCompany } from './matching/file-company.ts'
import type { CompanyRow, ReadCompany } from './plan.ts'
import { BatchPlanner } from './plan-batch.ts'
import { ReportLists } from './report.ts'
import type { ReadRow } from './rows/row-reader.ts'
import { lengthOf } from './survey.ts'

const MAX_BATCH_COMPANIES = 500
/** Of the rows that wait in memory for another row of their company, in characters. */
const MAX_WAITING_LENGTH = 256 * 1024 * 1024

/** The rows of a company that have been read so far. */
interface WaitingCompany {
  rows: CompanyRow[]
  /** The number of its rows that have not been read yet. */
  missing: number
}

/** An import that is running. */
export class Import {
  readonly id = newId('imp')
  readonly #db: Db
  readonly #user: User | null
  readonly #action: Action
  readonly #audit: ImportAudit
  readonly #choices: ImportChoices
  readonly #file: PreparedFile
  readonly #lists: ReportLists
  readonly #writer: BatchWriter
  /** Large rows are written in smaller batches. */
  readonly #maxBatchLength: number
  /** The custom fields when the import started. */
  readonly #fields: CustomFieldMap
  /** The number of rows with companies that have been read. */
  #rowsRead = 0
  /** The companies of the file that another one may be, with the row that shows them. */
  readonly #candidates: ReadonlySet<FileCompany>
  readonly #waiting = new Map<FileCompany, WaitingCompany>()
  #waitingLength = 0
  #batch: ReadCompany[] = []
  #batchLength = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(
    parts: ImportParts,
    user: User | null,
    { audit, requireAllowed, ...choices }: ImportChoices & ImportRequest,
    file: PreparedFile,
  ) {
    this.#db = parts.db
    this.#user = user
    this.#audit = audit
    this.#choices = choices
    this.#file = file
    this.#maxBatchLength = parts.longBatchLength
    this.#fields = file.fieldSet.fields
    this.#lists = new ReportLists(
      choices.dryRun ? file.survey.previewRows : [],
      file.columns.nameOf('website'),
    )
    this.#candidates = new Set(
      [...file.settled.values()].flatMap(({ conflicts }) =>
        conflicts.flatMap(({ candidates }) =>
          candidates.flatMap((candidate) => ('other' in candidate ? [candidate.other] : [])),
        ),
      ),
    )
    this.#action = { id: siblingId('ax', this.id), kind: 'import', via: 'import', user }
    const { survey, settled, policy, columns, identifyBy } = file
    const { dryRun, onTrashed } = choices
    this.#writer = new BatchWriter(parts, {
      ...{ action: this.#action, dryRun, importId: this.id, columns, requireAllowed },
      planner: new BatchPlanner({
        ...{ file: survey.companies, settled, policy, identifyBy, onTrashed, dryRun },
        restore: (db, ids) => restoreCompanies(db, this.#action, ids, companyAttachment),
      }),
      done: (plan) => this.#lists.add(plan),
      reject: (row, message) => this.#lists.reject(row, message),
    })
  }

  /**
   * Takes the next row of the file.
   * @throws InvalidInput if too many rows wait for other rows of their companies
   */
  async add(row: FileRow): Promise<void> {
    if (row.kind === 'malformed') this.#lists.reject(row.row, row.message)
    else if (row.kind === 'left_out') this.#lists.leaveOut(row.row, row.cells, row.reason, row.canInclude)
    else {
      if (this.#file.customColumns.created.length > 0) await this.#file.fieldSet.learn(row.cells)
      this.#addCompanyRow(row)
    }
    if (this.#batch.length >= MAX_BATCH_COMPANIES || this.#batchLength >= this.#maxBatchLength)
      await this.#flush()
  }

  /** Call this after the last row. */
  async finish() {
    await this.#flush()
    await this.#writing
    const counts = this.counts
    if (this.#hasChanged)
      await this.#db.transaction().execute((transaction) => this.#record(transaction, counts))
    return { ...counts, action_id: this.changedBy, ...this.#lists.lists }
  }

  /** Audits what was imported before an error ended the import. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {})
    if (this.#hasChanged) this.#audit.interrupted(this.counts)
  }

  get counts(): ImportCounts {
    return { ...this.#lists.counts }
  }

  /** The action that has changed companies; null if nothing has been changed. */
  get changedBy(): string | null {
    return this.#hasChanged ? this.#action.id : null
  }

  get #hasChanged(): boolean {
    const { created, updated, restored } = this.#lists.counts
    return !this.#choices.dryRun && created + updated + restored > 0
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

  #addCompanyRow({ row, cells }: { row: number; cells: string[] }): void {
    const { reader, fieldSet, survey } = this.#file
    const company = survey.companies.ofRow(this.#rowsRead)
    this.#rowsRead += 1
    const read = reader.read(cells, fieldSet.fields)
    const isUsable = company !== undefined && this.#takeErrors(row, read)
    if (company && this.#candidates.has(company)) this.#lists.show(company, read.fields)
    if (company) this.#collect(company, isUsable ? { row, cells, fields: read.fields } : undefined)
    else this.#lists.fail(row, undefined, read.errors)
  }

  /** Reports the cells that cannot be read. Returns whether the row is imported nevertheless. */
  #takeErrors(row: number, { fields, errors, notes }: ReadRow): boolean {
    if (errors.length > 0 && (this.#choices.badCells === 'fail' || fields.name === undefined)) {
      this.#lists.fail(row, fields.name, errors)
      return false
    }
    for (const error of errors) this.#lists.leaveBlank(row, fields.name ?? '', error)
    for (const note of notes) this.#lists.note(row, note)
    return true
  }

  /** The rows of a company wait for its last one. */
  #collect(company: FileCompany, row: CompanyRow | undefined): void {
    if (company.rows === 1) {
      if (row) this.#push(company, [row])
      return
    }
    const waiting = this.#waiting.get(company) ?? { rows: [], missing: company.rows }
    waiting.missing -= 1
    if (row) {
      waiting.rows.push(row)
      this.#waitingLength += lengthOf(row.cells)
    }
    if (waiting.missing > 0) {
      this.#waiting.set(company, waiting)
      if (this.#waitingLength > MAX_WAITING_LENGTH) throw new InvalidInput(TOO_MANY_WAITING)
      return
    }
    this.#waiting.delete(company)
    for (const { cells } of waiting.rows) this.#waitingLength -= lengthOf(cells)
    if (waiting.rows.length > 0) this.#push(company, waiting.rows)
  }

  #push(of: FileCompany, rows: CompanyRow[]): void {
    this.#batch.push({ of, rows })
    for (const { cells } of rows) this.#batchLength += lengthOf(cells)
  }

  /** Starts writing the batch once the previous one is written. The next rows are read during the write. */
  async #flush(): Promise<void> {
    await this.#writing
    this.#writing = this.#writer.write(this.#batch, this.#fields)
    this.#batch = []
    this.#batchLength = 0
    // The next await of #writing throws the error.
    this.#writing.catch(() => {})
  }
}

const TOO_MANY_WAITING =
  'Too many companies have several rows that are far apart in the file. Sort the file by name, or split it. ' +
  'What was imported before stays.'
