import type { CustomField, CustomFieldType } from '#src/features/fields/index.ts'
import { type CustomFieldMap, customKey, customName, optionOf } from '#src/features/fields/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { labelsIn } from '../cells/custom-values.ts'
import { isPlaceholder } from '../cells/placeholders.ts'
import type { FieldMapping } from '../schema.ts'
import type { ImportColumns, ImportMapping } from './columns.ts'
import { normalizedName } from './normalized-name.ts'

/** The columns of a custom field, in order of preference. */
export interface CustomColumn {
  indexes: readonly number[]
  /** If the import may create the field and its options. */
  created?: FieldMapping
  /** The type of the field; undefined: it is not known yet. */
  type: CustomFieldType | undefined
}

/** The columns of a file that have the values of custom fields. */
export class CustomColumns {
  readonly #file: ImportColumns<string>
  /** By the key of the field. */
  readonly #columns = new Map<string, CustomColumn>()
  /** The fields that the import may create, and whose options it may, by key. */
  readonly created: readonly (readonly [key: string, mapping: FieldMapping])[]

  /**
   * @throws InvalidInput for a mapping to an unknown field or column
   */
  constructor(file: ImportColumns<string>, mapping: ImportMapping, fields: CustomFieldMap) {
    this.#file = file
    const writable = [...fields.values()].filter(({ archived }) => !archived)
    for (const field of writable) {
      const index = indexOf(file.header, field)
      if (index >= 0 && !file.isUsed(index))
        this.#columns.set(field.key, { indexes: [index], type: field.type })
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
    if (mapped === null || mapped === undefined) this.#columns.delete(key)
    else if (field?.archived)
      throw new InvalidInput(`mapping.${name} is archived. Unarchive the field first, or map another one.`)
    else if (typeof mapped !== 'string' && !Array.isArray(mapped)) {
      if (field) requireSameType(field, mapped)
      const indexes = [this.#file.indexOf(name, mapped.column)]
      this.#columns.set(key, { indexes, created: mapped, type: field?.type ?? mapped.type })
    } else if (field)
      this.#columns.set(key, { indexes: this.#file.indexesOf(name, [mapped].flat()), type: field.type })
    else throw unknownField(name, [mapped].flat()[0] ?? '', fields)
  }

  /** The columns that no field is read from. */
  get ignored(): string[] {
    const used = new Set([...this.#columns.values()].flatMap(({ indexes }) => indexes))
    return this.#file.header.filter((_name, index) => !used.has(index) && !this.#file.isUsed(index))
  }

  /** The column names of each field. */
  get recognized(): Record<string, string[]> {
    return Object.fromEntries(
      this.typed.map(({ key, indexes }) => [customName(key), indexes.map((index) => this.#file.name(index))]),
    )
  }

  /** The columns of each field, with its type. */
  get typed(): (CustomColumn & { key: string })[] {
    return [...this.#columns].map(([key, column]) => ({ key, ...column }))
  }

  /** The first cell of a field in a row that has a value; otherwise `''`. */
  text(key: string, cells: string[]): string {
    for (const index of this.#columns.get(key)?.indexes ?? []) {
      const text = this.#file.text(index, cells)
      if (text && (this.#file.isExport || !isPlaceholder(text, 'prose'))) return text
    }
    return ''
  }

  /** The labels in a row that the fields which may grow do not have yet, by key. */
  unknownLabels(cells: string[], fields: CustomFieldMap): Map<string, string[]> {
    const unknown = new Map<string, string[]>()
    for (const [key] of this.created) {
      const field = fields.get(key)
      const text = field?.type === 'select' || field?.type === 'multi_select' ? this.text(key, cells) : ''
      if (!field || !text) continue
      const labels = field.type === 'select' ? [text] : labelsIn(field, text, this.#file.isExport)
      const missing = labels.filter((label) => !optionOf(field, label))
      if (missing.length > 0) unknown.set(key, missing)
    }
    return unknown
  }
}

const unknownField = (name: string, column: string, fields: CustomFieldMap): InvalidInput =>
  new InvalidInput(
    `mapping.${truncate(name, 60)} is not a known custom field. Known: ${
      truncate(
        [...fields.values()]
          .filter(({ archived }) => !archived)
          .map((field) => field.key)
          .join(', '),
        500,
      ) || 'none'
    }. To create it, map it to {"column": "${truncate(column, 60)}"}, or with the command line, use --create instead of --map.`,
  )

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
