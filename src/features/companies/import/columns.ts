import { customKey } from '#src/features/custom-fields/store.ts'
import { unescapeFormula, writeCsv } from '#src/platform/csv/write.ts'
import { InvalidInput, printable } from '#src/platform/errors.ts'
import { idPattern, idTime } from '#src/platform/ids.ts'
import { COLUMN_NAMES, type ImportField } from './column-names.ts'
import type { FieldMapping } from './schema.ts'

/** Only our own exports have all of these columns. */
const EXPORT_COLUMNS = ['id', 'thesis_code', 'llm_score_details', 'updated_at']

const COMPANY_ID = new RegExp(idPattern('cmp'))

/** Overrides for recognized columns: the column name for a field, or null to skip the field. */
export type ImportMapping = Record<string, string | null | FieldMapping>

/** Normalizes a name: lower case, no accents, no punctuation. */
export const normalizedName = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Maps the columns of a file to fields. */
export class ImportColumns {
  readonly header: string[]
  /** Whether the file is an export of this service, so that its ids and values can be used unchanged. */
  readonly isExport: boolean
  /** The column indexes of each recognized field, best first. */
  readonly #indexes = new Map<ImportField, number[]>()
  readonly #headerLine: string

  /** @throws InvalidInput if the mapping is invalid or no column has the company names */
  constructor(header: string[], mapping: ImportMapping) {
    this.header = header.map((name) => printable(name).trim())
    this.#headerLine = writeCsv([this.header])
    this.isExport = EXPORT_COLUMNS.every((name) => this.header.includes(name))
    this.#recognize()
    this.#apply(mapping)
    if (!this.#indexes.has('name'))
      throw new InvalidInput(
        `No column is recognized as the company's name. Columns: ${shownList(this.header)}. ` +
          'Specify the column with mapping={"name": "…"}.',
      )
  }

  #recognize(): void {
    const byName = new Map(this.header.map((name, index) => [normalizedName(name), index]))
    for (const [field, names] of Object.entries(COLUMN_NAMES)) {
      const indexes = names.map((name) => byName.get(name)).filter((index) => index !== undefined)
      if (indexes.length > 0) this.#indexes.set(field as ImportField, indexes)
    }
  }

  #apply(mapping: ImportMapping): void {
    for (const [field, column] of Object.entries(mapping)) {
      if (customKey(field) !== undefined) continue
      if (column === null) {
        this.#indexes.delete(field as ImportField)
        continue
      }
      if (!Object.hasOwn(COLUMN_NAMES, field) || typeof column !== 'string')
        throw new InvalidInput(
          `mapping.${field.slice(0, 60)} is not a known field. Known: ${Object.keys(COLUMN_NAMES).join(', ')}.`,
        )
      this.#indexes.set(field as ImportField, [this.indexOf(field, column)])
    }
  }

  /**
   * The index of a column that a field is mapped to.
   * @throws InvalidInput if the file does not have it
   */
  indexOf(field: string, column: string): number {
    const index = this.header.indexOf(column.trim())
    if (index < 0)
      throw new InvalidInput(
        `mapping.${field.slice(0, 80)} must be a column of the file, not "${column.slice(0, 60)}". Columns: ${shownList(this.header)}.`,
      )
    return index
  }

  /** The company's id, if the file is an export of this service. */
  id(cells: string[]): string | undefined {
    const id = this.isExport ? cells[this.header.indexOf('id')] : undefined
    return id && COMPANY_ID.test(id) && idTime(id).getTime() <= Date.now() ? id : undefined
  }

  has(field: ImportField): boolean {
    return this.#indexes.has(field)
  }

  /** The column names of each recognized field. */
  get recognized(): Record<string, string[]> {
    return Object.fromEntries(
      [...this.#indexes].map(([field, indexes]) => [
        field,
        indexes.map((index) => this.header[index] as string),
      ]),
    )
  }

  /** Whether a field is read from the column. */
  isUsed(index: number): boolean {
    return [...this.#indexes.values()].flat().includes(index)
  }

  /** The text of a cell, without outer spaces. */
  text(index: number, cells: string[]): string {
    return unescapeFormula(cells[index] ?? '').trim()
  }

  /** The first non-blank cell of the field, and its column name. */
  cell(field: ImportField, cells: string[]): { text: string; column: string } | undefined {
    for (const index of this.#indexes.get(field) ?? []) {
      const text = this.text(index, cells)
      if (text) return { text, column: this.header[index] as string }
    }
    return undefined
  }

  /** The row as a CSV file with a header. */
  source(cells: string[]): string {
    return this.#headerLine + writeCsv([cells])
  }
}

const shownList = (names: string[]) => names.slice(0, 30).join(', ').slice(0, 500) || 'none'
