import { printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { CellError } from './rows/field-cells.ts'
import { type ImportReport, MAX_LISTED_ROWS, MAX_PREVIEW_ROWS } from './schema.ts'

const MAX_VALUE_LENGTH = 200
const MAX_TEXT_LENGTH = 300
const MAX_EXAMPLES = 5
/** More kinds of warnings are counted together. */
const MAX_WARNINGS = 200
/** Of each list, so that a report can be sent and stored. */
const MAX_LIST_BYTES = 512 * 1024
const OTHER_KINDS = 'Further cells, with other problems than those listed, were adjusted or left blank.'

/** A list of which the report shows the first entries. */
export class ShownList<T extends { row: number }> {
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
export type Listed<Name extends keyof ImportReport> = ImportReport[Name] extends (infer Entry)[]
  ? Entry & { row: number }
  : never

/** What an import does with a row. */
export interface RowResult {
  row: number
  name: string
  outcome: 'created' | 'updated' | 'unchanged'
  /** The id of the record before the import; null: it is created. */
  id: string | null
  /** Shortened values before and after. Called only if the report shows them. */
  changes(): Record<string, { from: unknown; to: unknown }>
  /** The fields that are not blank after the import. */
  fields(): Record<string, unknown>
}

/** Collects what happens to the rows of an import. */
export class RowLists {
  readonly counts = {
    ...{ created: 0, updated: 0, unchanged: 0, trashed: 0, restored: 0 },
    ...{ failed: 0, left_out: 0, conflicts: 0 },
  }
  readonly #errors = new ShownList<Listed<'errors'>>()
  readonly #badCells = new ShownList<Listed<'bad_cells'>>()
  readonly #new = new ShownList<Listed<'new_rows'>>()
  readonly #changes = new ShownList<{ id: string | null } & Omit<Listed<'changes'>, 'company_id'>>()
  readonly #unchanged = new ShownList<{ id: string | null } & Omit<Listed<'unchanged_rows'>, 'company_id'>>()
  readonly #leftOut = new ShownList<Listed<'left_out_rows'>>()
  readonly #trashed = new ShownList<Listed<'trashed_rows'>>()
  readonly #warnings = new Map<string, Warning>()
  readonly #preview: (Omit<Listed<'preview'>, 'company'> & { fields: Record<string, unknown> })[] = []
  /** Only a dry run has a preview. */
  readonly #previewRows: ReadonlySet<number>

  /** @param previewRows the rows to show as they would be stored */
  constructor(previewRows: readonly number[]) {
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

  /** A row that matches a record in the trash, where it stays. */
  trash(row: number, name: string): void {
    this.counts.trashed += 1
    this.#trashed.add(() => ({ row, name: shortName(name) }))
  }

  /** A row that is imported. */
  addRow({ row, name: full, outcome, id, changes, fields }: RowResult): void {
    const name = shortName(full)
    this.counts[outcome] += 1
    if (outcome === 'created') this.#new.add(() => ({ row, name }))
    else if (outcome === 'unchanged') this.#unchanged.add(() => ({ row, name, id }))
    else this.#changes.add(() => ({ row, name, id, changes: changes() }))
    if (this.#previewRows.has(row)) this.#preview.push({ row, name, outcome, fields: fields() })
  }

  /**
   * The lists of a report.
   * @param idName what the report calls the id of a record
   * @param fieldsName what the preview calls the values of a record
   */
  protected listsWith<Id extends string, Fields extends string>(idName: Id, fieldsName: Fields) {
    const withId = <T extends { id: string | null }>({ id, ...entry }: T) =>
      ({ ...entry, [idName]: id }) as Omit<T, 'id'> & Record<Id, string | null>
    return {
      ...{ errors: this.#errors.shown, errors_omitted: this.#errors.omitted },
      warnings: [...this.#warnings.values()].sort((one, other) => other.count - one.count),
      ...{ bad_cells: this.#badCells.shown, bad_cells_omitted: this.#badCells.omitted },
      ...{ new_rows: this.#new.shown, new_rows_omitted: this.#new.omitted },
      ...{ changes: this.#changes.shown.map(withId), changes_omitted: this.#changes.omitted },
      unchanged_rows: this.#unchanged.shown.map(withId),
      unchanged_rows_omitted: this.#unchanged.omitted,
      ...{ left_out_rows: this.#leftOut.shown, left_out_rows_omitted: this.#leftOut.omitted },
      ...{ trashed_rows: this.#trashed.shown, trashed_rows_omitted: this.#trashed.omitted },
      preview: this.#preview
        .toSorted((one, other) => one.row - other.row)
        .map(
          ({ fields, ...row }) =>
            ({ ...row, [fieldsName]: fields }) as typeof row & Record<Fields, Record<string, unknown>>,
        ),
    }
  }
}

export const shortName = (name: string): string => printable(truncate(name, MAX_VALUE_LENGTH))

/** Long values are shortened: a report shows what happens, the ledger keeps the values. */
export function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value, MAX_VALUE_LENGTH)
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value)
  return text.length > MAX_VALUE_LENGTH ? truncate(text, MAX_VALUE_LENGTH) : value
}

/** The values that are not blank. */
export const shownFields = (record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => value !== null && value !== undefined && !isEmptyList(value))
      .map(([field, value]) => [field, shownValue(value)]),
  )

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
