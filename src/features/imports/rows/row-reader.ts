import { type CustomFieldMap, type CustomValues, exportedLabels } from '#src/features/fields/index.ts'
import { PLACEHOLDER } from '../cells/reading.ts'
import { BLANK_STATUS } from '../cells/statuses.ts'
import { allowedTags, TAGS_ALLOWED, tagsIn } from '../cells/tags.ts'
import { COLUMN_NAMES } from '../columns/column-names.ts'
import type { ImportColumns } from '../columns/columns.ts'
import type { CustomColumns } from '../columns/custom-columns.ts'
import type { ColumnFormats } from '../formats/column-formats.ts'
import { builtInReaders, type CellField, placeholderKindOf, type References } from './built-in-readers.ts'
import { CustomReader } from './custom-reader.ts'
import { type CellError, cellError, FieldReader, placeholderTest } from './field-cells.ts'
import { IdentityReader } from './identity-reader.ts'
import { fieldError, LIMITS, limitError } from './limits.ts'

export type ReadFields = { name?: string; custom?: CustomValues } & Record<string, unknown>

/** The values of a row. */
export interface ReadRow {
  /** Without `name` if the row has none, which is an error. */
  fields: ReadFields
  /** Cells that cannot be read, or not in full. */
  errors: CellError[]
  /** Cells whose values were changed or left out. */
  notes: CellError[]
}

const IDENTITY = new Set(['name', 'website', 'country', 'country_code', 'hq_city'])
const isOther = (field: string): field is CellField => !IDENTITY.has(field) && field !== 'tags'

/** Reads the rows of a file. */
export class RowReader {
  readonly #columns: ImportColumns
  readonly #identity: IdentityReader
  readonly #others: { target: string; reader: FieldReader }[]
  readonly #custom: CustomReader
  readonly #isBlankTag: (text: string, index: number) => boolean

  constructor(columns: ImportColumns, custom: CustomColumns, formats: ColumnFormats, references: References) {
    this.#columns = columns
    this.#identity = new IdentityReader(columns, formats.countryCodes)
    this.#custom = new CustomReader(columns, custom, formats, references.users)
    this.#isBlankTag = placeholderTest(columns, columns.isExport ? null : 'word')
    const readers = builtInReaders(columns.isExport, formats, references)
    const fields = Object.keys(COLUMN_NAMES)
      .filter(isOther)
      .filter((field) => columns.has(field))
    this.#others = fields.map((field) => {
      const isPlaceholder = placeholderTest(columns, columns.isExport ? null : placeholderKindOf(field))
      const blank = field === 'status' ? BLANK_STATUS : PLACEHOLDER
      const cells = { field, indexes: columns.indexes(field), isPlaceholder, blank, read: readers[field] }
      return {
        target: field === 'thesis_code' ? 'thesis_id' : field,
        reader: new FieldReader(columns, cells),
      }
    })
  }

  /**
   * Converts the cells of a row. Blank cells give no value.
   * @param fields the custom fields, with the options so far
   */
  read(cells: string[], fields: CustomFieldMap): ReadRow {
    const row: ReadRow = { fields: {}, errors: [], notes: [] }
    this.#identity.readInto(row.fields, cells, row)
    for (const { target, reader } of this.#others) {
      const value = reader.read(cells, row)
      if (value !== undefined) row.fields[target] = value
    }
    this.#readTags(row, cells)
    const custom = this.#custom.read(cells, fields, row)
    if (custom) row.fields.custom = custom
    if (row.fields.name === undefined) this.#requireName(row, cells)
    this.#applyLimits(row, cells)
    return row
  }

  /** The tags of all its columns together. */
  #readTags(row: ReadRow, cells: string[]): void {
    const tags: string[] = []
    let last: { column: string; text: string } | undefined
    for (const index of this.#columns.indexes('tags')) {
      const text = this.#columns.text(index, cells)
      if (!text) continue
      const column = this.#columns.name(index)
      if (this.#isBlankTag(text, index)) {
        row.notes.push(cellError(column, 'tags', text, PLACEHOLDER.note ?? ''))
        continue
      }
      const found = this.#columns.isExport ? exportedLabels(text) : tagsIn(text)
      if (!found) row.errors.push(cellError(column, 'tags', text, TAGS_ALLOWED))
      else tags.push(...found)
      last = { column, text }
    }
    if (!last) return
    const allowed = allowedTags(tags)
    for (const message of allowed.errors) row.errors.push(cellError(last.column, 'tags', last.text, message))
    if (allowed.tags.length > 0) row.fields.tags = allowed.tags
  }

  #requireName(row: ReadRow, cells: string[]): void {
    if (row.errors.some(({ field }) => field === 'name')) return
    const isName = ({ field }: CellError) => field === 'name'
    const placeholder = row.notes.find(isName)
    row.notes = row.notes.filter((note) => !isName(note))
    const column = placeholder?.column ?? this.#columns.nameOf('name')
    row.errors.push(
      cellError(
        column,
        'name',
        placeholder?.value ?? this.#columns.cell('name', cells)?.text ?? '',
        NAME_REQUIRED,
      ),
    )
  }

  /** Leaves out values that the API would not accept. */
  #applyLimits(row: ReadRow, cells: string[]): void {
    const { name = 'x', ...others } = row.fields
    if (limitError({ ...others, name }) === undefined) return
    for (const [target, value] of Object.entries(row.fields)) {
      if (target === 'custom') continue
      const message = fieldError(target, value)
      if (message === undefined) continue
      delete row.fields[target]
      const field = target === 'thesis_id' ? 'thesis_code' : (target as CellField)
      const cell = this.#columns.cell(field, cells)
      const isUnstorable = / must not contain /.test(message)
      const text = cell?.text ?? String(value)
      row.errors.push(cellError(cell?.column ?? field, field, text, isUnstorable ? message : LIMITS[field]))
    }
  }
}

const NAME_REQUIRED = 'name is required.'
