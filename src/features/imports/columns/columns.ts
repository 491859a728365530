import { customKey } from '#src/features/fields/index.ts'
import { unescapeFormula, writeCsv } from '#src/platform/csv/write.ts'
import { InvalidInput, printable } from '#src/platform/errors.ts'
import { idPattern, idTime } from '#src/platform/ids.ts'
import { normalizeText } from '#src/platform/schema/normalize-text.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { FieldMapping } from '../schema.ts'
import type { ImportField } from './column-names.ts'
import { COMPANY_COLUMNS, type ColumnKind } from './company-columns.ts'

/** Whether a file with these columns was exported by this service. */
export const isExport = (
  header: readonly string[],
  { exportColumns }: Pick<ColumnKind, 'exportColumns'> = COMPANY_COLUMNS,
): boolean => exportColumns.every((name) => header.includes(name))

/** A value of a cell, and the name of its column. */
export interface TextCell {
  text: string
  column: string
}

/** Between several values in a cell. Google separates them with three colons. */
export const VALUE_SEPARATORS = /\s*(?::::|[\n\r;|])\s*/

/**
 * Overrides for recognized columns: the name of a column for a field, several names, of which the first with a value counts,
 * or null to skip the field.
 */
export type ImportMapping = Record<string, string | string[] | null | FieldMapping>

/** Maps the columns of a file to fields of one kind of record. */
export class ImportColumns<Field extends string = ImportField> {
  readonly kind: ColumnKind<Field>
  /** Unique names: the second "City" is "City (2)", and the fourth column without a name "Column 4". */
  readonly header: string[]
  /** Whether the file is an export of this service, so that its ids and values can be used unchanged. */
  readonly isExport: boolean
  /** The column indexes of each recognized field, best first. */
  readonly #indexes: Map<Field, number[]>
  readonly #headerLine: string
  readonly #idPattern: RegExp

  /** @throws InvalidInput if the mapping is invalid */
  constructor(
    header: string[],
    mapping: ImportMapping,
    kind: ColumnKind<Field> = COMPANY_COLUMNS as unknown as ColumnKind<Field>,
  ) {
    this.kind = kind
    this.#idPattern = new RegExp(idPattern(kind.prefix))
    const names = header.map((name) => printable(name).trim())
    this.header = uniqueNames(names)
    this.#headerLine = writeCsv([names])
    this.isExport = isExport(names, kind)
    this.#indexes = kind.recognize(names)
    this.#apply(mapping)
  }

  #apply(mapping: ImportMapping): void {
    for (const [field, columns] of Object.entries(mapping)) {
      if (customKey(field) !== undefined) continue
      if (columns === null) {
        this.#indexes.delete(field as Field)
        continue
      }
      const names = typeof columns === 'string' ? [columns] : columns
      if (!(this.kind.fields as readonly string[]).includes(field) || !Array.isArray(names))
        throw new InvalidInput(
          `mapping.${truncate(field, 60)} is not a known field. Known: ${this.kind.fields.join(', ')}.`,
        )
      this.#indexes.set(field as Field, this.indexesOf(field, names))
    }
  }

  /**
   * The index of a column that a field is mapped to.
   * @throws InvalidInput if the file does not have it
   */
  indexOf(field: string, column: string): number {
    const index = this.find(column)
    if (index < 0)
      throw new InvalidInput(
        `mapping.${truncate(field, 80)} must be a column of the file, not "${truncate(column, 60)}". Columns: ${this.shown}.`,
      )
    return index
  }

  /**
   * The indexes of columns that a field is mapped to, each once.
   * @throws InvalidInput if the file does not have one of them, or for an empty list
   */
  indexesOf(field: string, columns: readonly string[]): number[] {
    if (columns.length === 0)
      throw new InvalidInput(
        `mapping.${truncate(field, 80)} must name at least one column. Columns: ${this.shown}.`,
      )
    return [...new Set(columns.map((column) => this.indexOf(field, column)))]
  }

  /** The index of the column with this name; -1 if there is none. */
  find(column: string): number {
    const exact = this.header.indexOf(column.trim())
    if (exact >= 0) return exact
    const name = normalizeText(column).trim()
    return this.header.findIndex((other) => normalizeText(other).trim() === name)
  }

  /** The names of the first columns, for messages. */
  get shown(): string {
    return truncate(this.header.slice(0, 30).join(', '), 500) || 'none'
  }

  /** The id of the row's record, if the file is an export of this service. */
  id(cells: string[]): string | undefined {
    const id = this.isExport ? cells[this.header.indexOf('id')] : undefined
    return id && this.#idPattern.test(id) && idTime(id).getTime() <= Date.now() ? id : undefined
  }

  has(field: Field): boolean {
    return this.#indexes.has(field)
  }

  /** The indexes of the columns of a field, in order of preference. */
  indexes(field: Field): readonly number[] {
    return this.#indexes.get(field) ?? []
  }

  /** The column names of each recognized field. */
  get recognized(): Record<string, string[]> {
    return Object.fromEntries(
      [...this.#indexes].map(([field, indexes]) => [field, indexes.map((index) => this.name(index))]),
    )
  }

  name(index: number): string {
    return this.header[index] ?? ''
  }

  /** Whether a field is read from the column. */
  isUsed(index: number): boolean {
    return [...this.#indexes.values()].some((indexes) => indexes.includes(index))
  }

  /** The text of a cell, without invisible characters and outer spaces. */
  text(index: number, cells: string[]): string {
    // The database cannot store NUL.
    return normalizeText(unescapeFormula(cells[index] ?? '').replaceAll('\0', '')).trim()
  }

  /** The first non-blank cell of the field, and its column name. */
  cell(field: Field, cells: string[]): TextCell | undefined {
    for (const index of this.indexes(field)) {
      const text = this.text(index, cells)
      if (text) return { text, column: this.name(index) }
    }
    return undefined
  }

  /** The name of the first column of a field. */
  nameOf(field: Field): string {
    const [index] = this.indexes(field)
    return index === undefined ? field : this.name(index)
  }

  /** The entries of the first non-blank cell of the field, which semicolons separate. */
  list(field: Field, cells: string[]): TextCell[] {
    const cell = this.cell(field, cells)
    return (cell?.text ?? '')
      .split(';')
      .map((text) => ({ text: text.trim(), column: cell?.column ?? '' }))
      .filter(({ text }) => text !== '')
  }

  /** Rows as a CSV file with the header of the file. */
  source(rows: string[][]): string {
    return this.#headerLine + writeCsv(rows)
  }
}

function uniqueNames(names: readonly string[]): string[] {
  const used = new Set(names.filter(Boolean))
  const seen = new Set<string>()
  return names.map((name, index) => {
    const base = name || `Column ${index + 1}`
    if (name && !seen.has(name)) {
      seen.add(name)
      return name
    }
    let unique = base
    for (let number = 2; used.has(unique); number++) unique = `${base} (${number})`
    used.add(unique)
    return unique
  })
}
