import {
  type CustomField,
  type CustomFieldMap,
  type CustomValues,
  customName,
  MAX_FIELD_OPTIONS,
  optionOf,
  sizeError,
} from '#src/features/fields/index.ts'
import type { UserReferences } from '#src/features/users/index.ts'
import { type CustomCellFormat, readCustomCell } from '../cells/custom-values.ts'
import type { PlaceholderKind } from '../cells/placeholders.ts'
import type { ImportColumns } from '../columns/columns.ts'
import type { CustomColumns } from '../columns/custom-columns.ts'
import { type ColumnFormats, formatKey } from '../formats/column-formats.ts'
import { type CellMessages, cellError, FieldReader, placeholderTest } from './field-cells.ts'

/** Reads the custom values of rows. */
export class CustomReader {
  readonly #columns: ImportColumns<string>
  readonly #typed: ReturnType<typeof typedColumns>
  readonly #formats: ColumnFormats
  readonly #users: UserReferences
  /** By key, for as long as the definition of the field does not change. */
  readonly #readers = new Map<string, { field: CustomField; reader: FieldReader }>()

  constructor(
    columns: ImportColumns<string>,
    custom: CustomColumns,
    formats: ColumnFormats,
    users: UserReferences,
  ) {
    this.#columns = columns
    this.#typed = typedColumns(custom)
    this.#formats = formats
    this.#users = users
  }

  /** The custom values of a row; undefined if it has none. */
  read(cells: string[], fields: CustomFieldMap, messages: CellMessages): CustomValues | undefined {
    if (this.#typed.length === 0) return undefined
    const values: CustomValues = {}
    for (const { key, indexes, isCreated } of this.#typed) {
      const field = fields.get(key)
      if (!field) continue
      const value = this.#reader(field, indexes, isCreated).read(cells, messages)
      if (value !== undefined) values[key] = value
    }
    this.#applyLimit(values, cells, messages)
    return Object.keys(values).length > 0 ? values : undefined
  }

  #reader(field: CustomField, indexes: readonly number[], isCreated: boolean): FieldReader {
    const known = this.#readers.get(field.key)
    if (known?.field === field) return known.reader
    const isBlank = placeholderTest(this.#columns, this.#columns.isExport ? null : placeholderKind(field))
    const isFull = isCreated && field.options.length >= MAX_FIELD_OPTIONS
    const reader = new FieldReader(this.#columns, {
      field: customName(field.key),
      indexes,
      isPlaceholder: (text, index) => isBlank(text, index) && !optionOf(field, text),
      read: (text, index) => {
        const reading = readCustomCell(field, text, this.#format(field, index))
        return reading.error && isFull ? { ...reading, error: reading.error + OPTIONS_FULL } : reading
      },
    })
    this.#readers.set(field.key, { field, reader })
    return reader
  }

  #format({ key }: CustomField, index: number): CustomCellFormat {
    const formatOf = formatKey(customName(key), index)
    return {
      isExport: this.#columns.isExport,
      amounts: this.#formats.amounts.get(formatOf) ?? UNSURVEYED,
      dates: this.#formats.dates.get(formatOf) ?? { order: null },
      users: this.#users,
    }
  }

  /** Leaves out the largest values while all of them together are too large. */
  #applyLimit(values: CustomValues, cells: string[], messages: CellMessages): void {
    while (sizeError(values)) {
      const size = ([, value]: [string, unknown]) => JSON.stringify(value).length
      const [largest] = Object.entries(values).toSorted((a, b) => size(b) - size(a))
      if (!largest) return
      const [key] = largest
      const index = this.#typed.find((column) => column.key === key)?.indexes[0] ?? 0
      const text = this.#columns.text(index, cells)
      messages.errors.push(cellError(this.#columns.name(index), customName(key), text, TOO_LARGE))
      delete values[key]
    }
  }
}

const typedColumns = (custom: CustomColumns) =>
  custom.typed.map(({ key, indexes, created }) => ({ key, indexes, isCreated: created !== undefined }))

const UNSURVEYED = {
  decimal: null,
  factor: 1,
  currency: null,
  signCurrency: null,
  stored: null,
  rates: {},
  hasPlainNumbers: false,
  isUnitKnown: true,
}
const OPTIONS_FULL = ` A field has at most ${MAX_FIELD_OPTIONS} options, so the import did not create another one.`
const TOO_LARGE = 'Together, the custom values of the record are too large. The largest were left out.'

/** Texts may have words such as "unknown" as their content. */
function placeholderKind({ type }: CustomField): PlaceholderKind {
  if (type === 'user') return 'owner'
  return type === 'text' || type === 'long_text' ? 'prose' : 'word'
}
