import { changesOf } from '#src/features/activity/index.ts'
import type { StoredCompany } from '#src/features/companies/index.ts'
import { withCustomNames } from '#src/features/fields/index.ts'
import { printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { type Conflict, explainConflict, shownCandidates, writtenIdentity } from './matching/conflict.ts'
import type { FileCompany } from './matching/file-company.ts'
import type { PlannedRow, ReadCompany } from './plan.ts'
import type { BatchPlan } from './plan-batch.ts'
import type { CellError } from './rows/field-cells.ts'
import type { ReadFields } from './rows/row-reader.ts'
import { type ImportReport, MAX_LISTED_ROWS, MAX_PREVIEW_ROWS } from './schema.ts'

const MAX_VALUE_LENGTH = 200
const MAX_TEXT_LENGTH = 300
const MAX_EXAMPLES = 5
/** More kinds of warnings are counted together. */
const MAX_WARNINGS = 200
/** Of each list, so that a report can be sent and stored. */
const MAX_LIST_BYTES = 512 * 1024
const KEPT_WEBSITE = 'The company has a website of its own, which a page on a shared host does not replace.'
const OTHER_KINDS = 'Further cells, with other problems than those listed, were adjusted or left blank.'

/** A list of which the report shows the first entries. */
class ShownList<T extends { row: number }> {
  readonly #shown: T[] = []
  #bytes = 0
  total = 0

  /** @param entry made only if it is shown */
  add(entry: () => T): void {
    this.total += 1
    if (this.#shown.length >= MAX_LISTED_ROWS || this.#bytes >= MAX_LIST_BYTES) return
    const shown = entry()
    this.#bytes += JSON.stringify(shown).length
    this.#shown.push(shown)
  }

  get shown(): T[] {
    return this.#shown.toSorted((one, other) => one.row - other.row)
  }

  get omitted(): number {
    return this.total - this.#shown.length
  }
}

type Warning = ImportReport['warnings'][number]
type Listed<Name extends keyof ImportReport> = ImportReport[Name] extends (infer Entry)[]
  ? Entry & { row: number }
  : never

/** Collects what happens to the rows of an import. */
export class ReportLists {
  readonly counts = {
    ...{ created: 0, updated: 0, unchanged: 0, trashed: 0, restored: 0 },
    ...{ failed: 0, left_out: 0, conflicts: 0 },
  }
  readonly #errors = new ShownList<Listed<'errors'>>()
  readonly #badCells = new ShownList<Listed<'bad_cells'>>()
  readonly #new = new ShownList<Listed<'new_rows'>>()
  readonly #changes = new ShownList<Listed<'changes'>>()
  readonly #unchanged = new ShownList<Listed<'unchanged_rows'>>()
  readonly #questions = new ShownList<Listed<'questions'>>()
  readonly #leftOut = new ShownList<Listed<'left_out_rows'>>()
  readonly #trashed = new ShownList<Listed<'trashed_rows'>>()
  readonly #warnings = new Map<string, Warning>()
  readonly #preview: Listed<'preview'>[] = []
  readonly #written = new WeakMap<FileCompany, ReadFields>()
  /** Only a dry run has a preview. */
  readonly #previewRows: ReadonlySet<number>

  readonly #websiteColumn: string

  /**
   * @param previewRows the rows to show as they would be stored
   * @param websiteColumn the column of websites
   */
  constructor(previewRows: readonly number[], websiteColumn: string) {
    this.#websiteColumn = websiteColumn
    this.#previewRows = new Set(previewRows.slice(0, MAX_PREVIEW_ROWS))
  }

  /** A row that is not imported because of its cells. */
  fail(row: number, name: string | undefined, errors: readonly CellError[]): void {
    this.counts.failed += 1
    for (const { column, value, message } of errors)
      this.#errors.add(() => ({
        ...{ row, column, value: printable(value), name: name === undefined ? null : shortName(name) },
        message: printable(
          value === '' ? message : `${message.replace(/\.$/, '')}; the cell has "${value}".`,
        ),
      }))
  }

  /** A row that cannot be imported as a whole. */
  reject(row: number, message: string): void {
    this.counts.failed += 1
    this.#errors.add(() => ({ row, column: null, value: null, name: null, message: printable(message) }))
  }

  leaveOut(row: number, cells: readonly string[], reason: string, can_include: boolean): void {
    this.counts.left_out += 1
    const text = () => printable(truncate(cells.filter(Boolean).join(' · '), MAX_TEXT_LENGTH))
    this.#leftOut.add(() => ({ row, text: text(), reason, can_include }))
  }

  /** A cell that is left blank. */
  leaveBlank(row: number, name: string, error: CellError): void {
    this.#warn(row, error, true)
    const { column, value, message } = error
    this.#badCells.add(() => ({
      ...{ row, name: shortName(name), column },
      ...{ value: printable(value), message: printable(message) },
    }))
  }

  /** A cell of which not everything is stored as it is written. */
  note(row: number, note: CellError): void {
    this.#warn(row, note, false)
  }

  /** Groups cells with the same message. */
  #warn(row: number, { column, value, message }: CellError, left_blank: boolean): void {
    const isOther = this.#warnings.size >= MAX_WARNINGS && !this.#warnings.has(`${column}\n${message}`)
    if (isOther && message !== OTHER_KINDS) {
      this.#warn(row, { column: '', field: '', value, message: OTHER_KINDS }, left_blank)
      return
    }
    const key = `${column}\n${message}`
    const known = this.#warnings.get(key)
    const warning = known ?? {
      ...{ column: column || null, message: printable(message), left_blank, count: 0, examples: [] },
    }
    warning.count += 1
    if (warning.examples.length < MAX_EXAMPLES) warning.examples.push({ row, value: printable(value) })
    this.#warnings.set(key, warning)
  }

  /** Keeps how the file writes a company that another one may be. */
  show(company: FileCompany, fields: ReadFields): void {
    if (!this.#written.has(company)) this.#written.set(company, fields)
  }

  /** Adds the results of a batch. */
  add({ companies, conflicts, skipped, trashed, restored }: BatchPlan): void {
    for (const { before, rows, keptWebsites } of companies) {
      for (const row of rows) this.#addRow(row, before?.id ?? null)
      for (const { row, value } of keptWebsites)
        this.note(row, { column: this.#websiteColumn, field: 'website', value, message: KEPT_WEBSITE })
    }
    for (const { company, conflict } of conflicts) {
      this.counts.conflicts += 1
      this.#questions.add(() => this.#questionOf(company, conflict))
    }
    for (const { rows } of skipped)
      for (const { row, cells } of rows) this.leaveOut(row, cells, 'Rows in conflict are left out.', false)
    for (const { rows } of trashed)
      for (const { row, fields } of rows) {
        this.counts.trashed += 1
        this.#trashed.add(() => ({ row, name: shortName(String(fields.name)) }))
      }
    this.counts.restored += restored.size
  }

  /** The lists of a report. */
  get lists() {
    return {
      ...{ errors: this.#errors.shown, errors_omitted: this.#errors.omitted },
      warnings: [...this.#warnings.values()].sort((one, other) => other.count - one.count),
      ...{ bad_cells: this.#badCells.shown, bad_cells_omitted: this.#badCells.omitted },
      ...{ new_rows: this.#new.shown, new_rows_omitted: this.#new.omitted },
      ...{ changes: this.#changes.shown, changes_omitted: this.#changes.omitted },
      ...{ unchanged_rows: this.#unchanged.shown, unchanged_rows_omitted: this.#unchanged.omitted },
      ...{ questions: this.#questions.shown, questions_omitted: this.#questions.omitted },
      ...{ left_out_rows: this.#leftOut.shown, left_out_rows_omitted: this.#leftOut.omitted },
      ...{ trashed_rows: this.#trashed.shown, trashed_rows_omitted: this.#trashed.omitted },
      preview: this.#preview.toSorted((one, other) => one.row - other.row),
    }
  }

  #questionOf({ rows }: ReadCompany, conflict: Conflict): Listed<'questions'> {
    const { row, evidence, kind, decision } = conflict
    const fields = rows.find((one) => one.row === row)?.fields
    return {
      ...{ row, name: shortName(conflict.name), ...writtenIdentity(fields, evidence) },
      ...{ kind, message: explainConflict(conflict), decision },
      companies: shownCandidates(conflict, (company) => this.#written.get(company)),
    }
  }

  #addRow(planned: PlannedRow, company_id: string | null): void {
    const { row, outcome, after } = planned
    const name = shortName(planned.name)
    this.counts[outcome] += 1
    if (outcome === 'created') this.#new.add(() => ({ row, name }))
    else if (outcome === 'unchanged') this.#unchanged.add(() => ({ row, name, company_id }))
    else this.#changes.add(() => ({ row, name, company_id, changes: shownChanges(planned) }))
    if (this.#previewRows.has(row)) this.#preview.push({ row, name, outcome, company: shownCompany(after) })
  }
}

const shortName = (name: string): string => printable(truncate(name, MAX_VALUE_LENGTH))

/** Long values are shortened: a report shows what happens, the ledger keeps the values. */
function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value, MAX_VALUE_LENGTH)
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value)
  return text.length > MAX_VALUE_LENGTH ? truncate(text, MAX_VALUE_LENGTH) : value
}

const shownChanges = ({ before, after, changed }: PlannedRow) =>
  Object.fromEntries(
    Object.entries(changesOf(withCustomNames(before as StoredCompany), withCustomNames(after), changed)).map(
      ([field, { from, to }]) => [field, { from: shownValue(from), to: shownValue(to) }],
    ),
  )

/** The fields that are not blank, custom ones as `custom.<key>`. */
const shownCompany = ({ id: _id, created_at: _created, updated_at: _updated, ...company }: StoredCompany) =>
  Object.fromEntries(
    Object.entries(withCustomNames(company as StoredCompany))
      .filter(([field, value]) => field !== 'custom' && value !== null && !isEmptyList(value))
      .map(([field, value]) => [field, shownValue(value)]),
  )

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
