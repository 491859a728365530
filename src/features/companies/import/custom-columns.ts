import { cellLabels, parseCustomCell } from '#src/features/companies/custom-cells.ts'
import { type CustomField, type CustomValues, MAX_FIELD_OPTIONS } from '#src/features/custom-fields/schema.ts'
import {
  allowedValues,
  type CustomFieldMap,
  customKey,
  customName,
  optionOf,
  parseCustomValue,
} from '#src/features/custom-fields/store.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { CellError } from './cells.ts'
import { type ImportColumns, type ImportMapping, normalizedName } from './columns.ts'
import type { FieldMapping } from './schema.ts'

/** A mapped column. */
interface CustomColumn {
  index: number
  /** If the import may create the field and its options. */
  created?: FieldMapping
}

/** The columns of a file that have the values of custom fields. */
export class CustomColumns {
  readonly #file: ImportColumns
  /** By the key of the field. */
  readonly #columns = new Map<string, CustomColumn>()
  /** The fields that the import may create, and whose options it may, by key. */
  readonly created: readonly (readonly [key: string, mapping: FieldMapping])[]

  /**
   * @throws InvalidInput for a mapping to an unknown field or column
   */
  constructor(file: ImportColumns, mapping: ImportMapping, fields: CustomFieldMap) {
    this.#file = file
    const writable = [...fields.values()].filter(({ archived }) => !archived)
    for (const field of writable) {
      const index = indexOf(file.header, field)
      if (index >= 0 && !file.isUsed(index)) this.#columns.set(field.key, { index })
    }
    for (const [name, column] of Object.entries(mapping)) this.#apply(name, column, fields)
    this.created = [...this.#columns].flatMap(([key, { created }]) =>
      created ? [[key, created] as const] : [],
    )
  }

  #apply(name: string, mapped: ImportMapping[string], fields: CustomFieldMap): void {
    const key = customKey(name)
    if (key === undefined) return
    const field = fields.get(key)
    if (mapped === null) this.#columns.delete(key)
    else if (field?.archived)
      throw new InvalidInput(`mapping.${name} is archived. Unarchive the field first, or map another one.`)
    else if (typeof mapped !== 'string') {
      if (field) requireSameType(field, mapped)
      this.#columns.set(key, { index: this.#file.indexOf(name, mapped.column), created: mapped })
    } else if (field) this.#columns.set(key, { index: this.#file.indexOf(name, mapped) })
    else
      throw new InvalidInput(
        `mapping.${name.slice(0, 60)} is not a known custom field. Known: ${
          [...fields.values()]
            .filter(({ archived }) => !archived)
            .map((field) => field.key)
            .join(', ')
            .slice(0, 500) || 'none'
        }. To create it, map it to {"column": "${mapped.slice(0, 60)}"}, or with the command line, use --create instead of --map.`,
      )
  }

  /** The columns that no field is read from. */
  get ignored(): string[] {
    const used = new Set([...this.#columns.values()].map(({ index }) => index))
    return this.#file.header.filter((_name, index) => !used.has(index) && !this.#file.isUsed(index))
  }

  /** The column names of each field. */
  get recognized(): Record<string, string[]> {
    return Object.fromEntries(
      [...this.#columns].map(([key, { index }]) => [customName(key), [this.#file.header[index] as string]]),
    )
  }

  /** The cell of a field in a row; blank: `''`. */
  text(key: string, cells: string[]): string {
    const column = this.#columns.get(key)
    return column ? this.#file.text(column.index, cells) : ''
  }

  /** The labels in a row that the fields which may grow do not have yet, by key. */
  unknownLabels(cells: string[], fields: CustomFieldMap): Map<string, string[]> {
    const unknown = new Map<string, string[]>()
    for (const [key] of this.created) {
      const field = fields.get(key)
      const text = field?.type === 'select' || field?.type === 'multi_select' ? this.text(key, cells) : ''
      if (!field || !text) continue
      const labels = field.type === 'select' ? [text] : cellLabels(text)
      const missing = labels.filter((label) => !optionOf(field, label))
      if (missing.length > 0) unknown.set(key, missing)
    }
    return unknown
  }

  /**
   * The custom values of a row; undefined if it has none.
   * @param users the email addresses of all users
   * @throws CellError that names the column, for a cell that its field does not allow
   */
  values(cells: string[], fields: CustomFieldMap, users: ReadonlySet<string>): CustomValues | undefined {
    const values: CustomValues = {}
    for (const [key, { index }] of this.#columns) {
      const text = this.#file.text(index, cells)
      const field = fields.get(key)
      if (!text || !field) continue
      const value = this.#parse(field, text, index)
      if (field.type === 'user' && value !== null && !users.has(String(value)))
        throw this.#fault(field, text, index)
      if (value !== null) values[key] = value
    }
    return Object.keys(values).length > 0 ? values : undefined
  }

  #parse(field: CustomField, text: string, index: number): unknown {
    const value = parseCustomCell(field, text, this.#file.isExport)
    if (value === undefined) throw this.#fault(field, text, index)
    try {
      return parseCustomValue(field, value)
    } catch (error) {
      if (error instanceof InvalidInput) throw this.#fault(field, text, index)
      throw error
    }
  }

  #fault(field: CustomField, text: string, index: number): CellError {
    const column = this.#file.header[index] as string
    return new CellError(
      column,
      `${customName(field.key)} must be ${allowedValues(field)}, not "${text.slice(0, 60)}".${
        this.#columns.get(field.key)?.created && field.options.length >= MAX_FIELD_OPTIONS ? OPTIONS_FULL : ''
      }`,
    )
  }
}

const OPTIONS_FULL = ` A field has at most ${MAX_FIELD_OPTIONS} options, so the import did not create another one.`

/** @throws InvalidInput if the field exists with another type than the mapping would create it with */
function requireSameType({ key, type }: CustomField, mapped: FieldMapping): void {
  if (mapped.type === undefined || mapped.type === type) return
  throw new InvalidInput(
    `mapping.${customName(key)}.type must be ${type}, the type of the existing field, or omitted, not "${mapped.type}".`,
  )
}

/** The column of a field: `custom.<key>`, or its key or label in any spelling. */
function indexOf(header: readonly string[], { key, label }: CustomField): number {
  const exact = header.indexOf(customName(key))
  if (exact >= 0) return exact
  const names = [normalizedName(label), normalizedName(key)]
  return header.findIndex((name) => names.includes(normalizedName(name)))
}
