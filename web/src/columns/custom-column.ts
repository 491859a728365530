import type { Field } from '#web/filters/use-fields.ts'
import type { Column } from './column.ts'

const WIDTHS: Partial<Record<Field['type'], number>> = { long_text: 240, multi_select: 180, boolean: 90 }
const DESCENDING_FIRST: readonly Field['type'][] = ['number', 'money', 'date', 'timestamp']

/** The fields that users have defined and not archived. */
export const customFieldsOf = (fields: readonly Field[] | undefined): Field[] =>
  (fields ?? []).filter(({ id, archived }) => id !== null && !archived)

/** The column of a field that users have defined. */
export const customColumn = (field: Field): Column => ({
  field: field.name,
  label: field.label,
  width: WIDTHS[field.type] ?? 130,
  isNumber: field.type === 'number' || field.type === 'money',
  isSortable: field.is_sortable,
  // Records from before the field was required may have none.
  isOptional: true,
  isDescendingFirst: DESCENDING_FIRST.includes(field.type),
})
