import { type RawBuilder, sql } from 'kysely'
import type { FilterField } from '#src/platform/filter/fields.ts'
import { customName } from './changes.ts'
import type { CustomField, CustomFieldType, CustomValues } from './schema.ts'
import { customValue, foldedCustomValue, hasAnyOption } from './sql.ts'
import { type CustomFieldMap, type DefinedField, optionOf } from './values.ts'

/** What a type is sorted by, other than its value; null if records cannot be sorted by it. */
const SORTED_BY: Partial<Record<CustomFieldType, (field: CustomField) => RawBuilder<unknown> | null>> = {
  text: foldedCustomValue,
  long_text: () => null,
}

/** A custom field as filters and sorts see it. */
function filterField(field: DefinedField): FilterField {
  const { key, label, type, options } = field
  const read = (record: { custom?: CustomValues }) => record.custom?.[key] ?? null
  const common = {
    name: customName(key),
    label,
    read,
    ...(type.endsWith('select') && {
      options,
      normalize: (name: string) => optionOf(field, name)?.id ?? name,
    }),
  }
  if (type === 'multi_select')
    return {
      ...common,
      type,
      hasAnyOf: (ids) => hasAnyOption(field, ids),
      isEmpty: sql`(not custom ? ${key}::text)`,
      read: (record) => read(record) ?? [],
    }
  const sortBy = SORTED_BY[type]?.(field)
  const value = sql`(${customValue(field)})`
  return {
    ...common,
    type,
    sql: value,
    ...(type === 'select' ? inOrderOfOptions(field, value) : { sortIndex: 'descending' }),
    ...(sortBy !== undefined && { sortBy }),
    ...(type === 'user' && { normalize: (address: string) => address.toLowerCase() }),
  }
}

/** Options are sorted as the field lists them. Those that are being removed come after the others. */
function inOrderOfOptions(
  { options, removed_options = [], updated_at }: DefinedField,
  value: RawBuilder<unknown>,
): Pick<FilterField, 'sortBy' | 'sortGroups'> {
  const values = [...options.map(({ id }) => id), ...removed_options]
  return {
    sortBy: sql`array_position(${values}::text[], ${value})`,
    sortGroups: { values, sql: value, version: updated_at },
  }
}

/** Custom fields as filters and sorts see them, archived ones included. */
export const customFilterFields = (fields: CustomFieldMap): FilterField[] =>
  [...fields.values()].map(filterField)
