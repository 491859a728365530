import { countryName } from '#src/platform/schema/countries.ts'
import { countryCode } from '../cells/country-codes.ts'
import { isPlaceholder } from '../cells/placeholders.ts'
import { PLACEHOLDER } from '../cells/reading.ts'
import type { ImportColumns } from '../columns/columns.ts'
import { type IdentityField, identityReaders, placeholderKindOf } from './built-in-readers.ts'
import { type CellMessages, cellError, FieldReader, placeholderTest } from './field-cells.ts'

/** What the cells of a row say about which company it is. */
export interface RowIdentity {
  name: string
  website: string | null
  country: string | null
  country_code: string | null
  hq_city: string | null
}

const MAX_CODE_LENGTH = 3
const NAMIBIA = 'NA'

/** Reads the fields of a row that tell companies apart. */
export class IdentityReader {
  readonly #columns: ImportColumns
  readonly #readers: Readonly<Record<IdentityField, FieldReader>>

  /** @param countryCodes the indexes of columns of the country in which NA is Namibia */
  constructor(columns: ImportColumns, countryCodes: ReadonlySet<number> = new Set()) {
    this.#columns = columns
    const readers = identityReaders(columns.isExport)
    const isNamibia = (field: IdentityField, text: string, index: number): boolean =>
      (field === 'country_code' && text.toUpperCase() === NAMIBIA) ||
      (field === 'country' && text === NAMIBIA && countryCodes.has(index))
    const reader = (field: IdentityField): FieldReader => {
      const isBlank = placeholderTest(columns, columns.isExport ? null : placeholderKindOf(field))
      return new FieldReader(columns, {
        field,
        indexes: columns.indexes(field),
        isPlaceholder: (text, index) => !isNamibia(field, text, index) && isBlank(text, index),
        read: readers[field],
      })
    }
    this.#readers = {
      name: reader('name'),
      website: reader('website'),
      country: reader('country'),
      country_code: reader('country_code'),
      hq_city: reader('hq_city'),
    }
  }

  /** The identity of the row's company; the name is blank if the row has none. */
  read(cells: string[]): RowIdentity {
    const fields: Record<string, unknown> = {}
    this.readInto(fields, cells)
    const text = (field: IdentityField) => (fields[field] as string | undefined) ?? null
    return {
      name: text('name') ?? '',
      website: text('website'),
      country: text('country'),
      country_code: text('country_code'),
      hq_city: text('hq_city'),
    }
  }

  /**
   * Adds the fields that have values.
   * @param messages receives errors and notes
   */
  readInto(fields: Record<string, unknown>, cells: string[], messages?: CellMessages): void {
    for (const field of ['name', 'website', 'country', 'country_code', 'hq_city'] as const) {
      const value = this.#readers[field].read(cells, messages)
      if (value !== undefined) fields[field] = value
    }
    if (this.#columns.isExport) return
    this.#checkCode(fields, cells, messages)
    if (fields.country_code === undefined && typeof fields.country === 'string')
      deriveCode(fields, fields.country)
  }

  #checkCode(fields: Record<string, unknown>, cells: string[], messages?: CellMessages): void {
    const { country, country_code: code } = fields
    const cell = this.#columns.cell('country_code', cells)
    if (!cell) return
    if (code === undefined) {
      // Text that is no code is a country, unless the file has a column of countries.
      if (!this.#columns.has('country') && !isPlaceholder(cell.text)) fields.country = cell.text
      return
    }
    const other = typeof country === 'string' ? countryCode(country) : undefined
    if (code !== NAMIBIA || other === undefined || other === NAMIBIA) return
    delete fields.country_code
    messages?.notes.push(cellError(cell.column, 'country_code', cell.text, PLACEHOLDER.note ?? ''))
  }
}

function deriveCode(fields: Record<string, unknown>, country: string): void {
  const code = countryCode(country)
  if (!code) return
  fields.country_code = code
  if (country.length <= MAX_CODE_LENGTH) fields.country = countryName(code) ?? country
}
