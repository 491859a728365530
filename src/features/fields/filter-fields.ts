import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type Fields, type FilterField, fieldsByName } from '#src/platform/filter/fields.ts'
import { customName } from './changes.ts'
import { readCustomFields } from './custom-fields.ts'
import type { CustomFieldEntity } from './schema.ts'
import { customValue, firstOption, foldedCustomValue, hasAnyOption } from './sql.ts'
import { type CustomFieldMap, type DefinedField, optionOf } from './values.ts'

/** A custom field as filters and sorts see it. */
function filterField(field: DefinedField): FilterField {
  const { key, label, type, options } = field
  const common = {
    name: customName(key),
    label,
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
      sortBy: inOrderOfOptions(field, firstOption(field)),
    }
  const value = sql`(${customValue(field)})`
  return {
    ...common,
    type,
    sql: value,
    ...(type === 'select'
      ? { sortBy: inOrderOfOptions(field, value), sortGroups: { values: optionIds(field), sql: value } }
      : type !== 'long_text' && { sortIndex: 'descending' }),
    ...(type === 'text' && { sortBy: foldedCustomValue(field) }),
    ...(type === 'user' && { normalize: (address: string) => address.toLowerCase() }),
  }
}

/** Options are sorted as the field lists them. Those that are being removed come after the others. */
const inOrderOfOptions = (field: DefinedField, value: RawBuilder<unknown>) =>
  sql`array_position(${optionIds(field)}::text[], ${value})`

const optionIds = ({ options, removed_options = [] }: DefinedField): string[] => [
  ...options.map(({ id }) => id),
  ...removed_options,
]

/** Custom fields as filters and sorts see them, archived ones included. */
export const customFilterFields = (fields: CustomFieldMap): FilterField[] =>
  [...fields.values()].map(filterField)

/**
 * Makes a function that reads the fields of an entity that filters and sorts know.
 * @param builtIn the fields that are not custom; none may have the name of a custom one
 */
export function fieldsReader(
  entity: CustomFieldEntity,
  builtIn: readonly FilterField[],
): (db: Db) => Promise<Fields> {
  const byDefinitions = new WeakMap<CustomFieldMap, Fields>()
  return async (db) => {
    const custom = await readCustomFields(db, entity)
    const fields =
      byDefinitions.get(custom) ?? fieldsByName(entity, [...builtIn, ...customFilterFields(custom)])
    byDefinitions.set(custom, fields)
    return fields
  }
}
