import {
  addOptions,
  type CustomField,
  type CustomFieldMap,
  type CustomFields,
  createMissingFields,
  customName,
  type FieldKind,
  type FieldOption,
  foldLabel,
  MAX_FIELD_LABEL_LENGTH,
  MAX_FIELD_OPTIONS,
  withNewOptions,
} from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { labelsIn } from '../cells/custom-values.ts'
import type { FieldMapping } from '../schema.ts'
import type { CustomColumns } from './custom-columns.ts'
import { currencyIn, guessType } from './guess-type.ts'

/** The kind of record whose custom fields an import writes. */
export type ImportedFieldKind = Required<Pick<FieldKind, 'builtInNames'>> & Pick<CustomField, 'entity'>

interface NewFieldParts {
  db: Db
  /** Whose fields they are. */
  fieldKind: ImportedFieldKind
  customFields: CustomFields
  dryRun: boolean
}

/** A field with the options in these cells, so that few are created one by one later, or with their currency. */
function newField(
  key: string,
  { column, label = column, type: input }: FieldMapping,
  cells: readonly string[],
  entity: CustomField['entity'],
) {
  const type = input ?? guessType(cells, column)
  const labels =
    type === 'select'
      ? cells
      : type === 'multi_select'
        ? cells.flatMap((cell) => labelsIn(NO_OPTIONS, cell, false))
        : []
  const options = withNewOptions({ options: [] as FieldOption[] }, [...new Set(labels)]).options.map(
    (option) => ({
      label: option.label,
    }),
  )
  const currency = type === 'money' ? currencyIn(cells, column) : undefined
  const field = {
    entity,
    key,
    label: label.slice(0, MAX_FIELD_LABEL_LENGTH),
    type,
    options,
  }
  return currency ? { ...field, currency } : field
}

const NO_OPTIONS = { options: [] }

type NewField = ReturnType<typeof newField>

/** @throws InvalidInput if two new fields have the same label */
function requireDistinctLabels(fields: readonly NewField[]): void {
  const byLabel = new Map<string, NewField>()
  for (const field of fields) {
    const label = foldLabel(field.label)
    const other = byLabel.get(label)
    if (other)
      throw new InvalidInput(
        `mapping.${customName(field.key)}: label must be unique, but "${field.label}" is also the label of ` +
          `mapping.${customName(other.key)}. A label is the name of the column, unless the mapping has another.`,
      )
    byLabel.set(label, field)
  }
}

/** The custom fields of an import, which creates the fields and options that its mapping requests. */
export class ImportedFieldSet {
  readonly #parts: NewFieldParts
  readonly #columns: CustomColumns
  #fields: CustomFieldMap
  /** The fields that the import has created, or would create. */
  readonly created: CustomField[] = []

  constructor(parts: NewFieldParts, columns: CustomColumns, fields: CustomFieldMap) {
    this.#parts = parts
    this.#columns = columns
    this.#fields = fields
  }

  get fields(): CustomFieldMap {
    return this.#fields
  }

  /** Whether fields have to be created before the first row is read. */
  get isIncomplete(): boolean {
    return this.#columns.created.some(([key]) => !this.#fields.has(key))
  }

  /**
   * Creates the missing fields, with types that fit a sample of the rows.
   * @throws InvalidInput or Conflict for a key or label that a field cannot have; none is created then
   */
  async createMissing(sample: readonly string[][]): Promise<void> {
    const { db, customFields, dryRun, fieldKind } = this.#parts
    const missing = this.#columns.created.filter(([key]) => !this.#fields.has(key))
    const input = missing.map(([key, mapping]) =>
      newField(
        key,
        mapping,
        sample.map((row) => this.#columns.text(key, row)).filter(Boolean),
        fieldKind.entity,
      ),
    )
    requireDistinctLabels(input)
    this.created.push(...(await createMissingFields(db, input, fieldKind.builtInNames, dryRun)))
    this.#fields = new Map([...this.#fields, ...this.created.map((field) => [field.key, field] as const)])
    await this.#refresh(customFields)
  }

  /** Creates the options in a row that its fields do not have yet. Those beyond the limit are left out. */
  async learn(cells: string[]): Promise<void> {
    const unknown = this.#columns.unknownLabels(cells, this.#fields)
    if (unknown.size === 0) return
    for (const [key, labels] of unknown) {
      const field = this.#fields.get(key) as CustomField
      if (field.options.length >= MAX_FIELD_OPTIONS) continue
      const grown = this.#parts.dryRun
        ? withNewOptions(field, labels)
        : await addOptions(this.#parts.db, field.id, labels)
      this.#fields = new Map([...this.#fields, [key, grown]])
    }
    await this.#refresh(this.#parts.customFields)
  }

  /** Takes the definitions over from the database, so that batches find them unchanged. */
  async #refresh(customFields: CustomFields): Promise<void> {
    if (this.#parts.dryRun) return
    await customFields.refresh()
    this.#fields = customFields.of(this.#parts.fieldKind.entity)
  }
}
