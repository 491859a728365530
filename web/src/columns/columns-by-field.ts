import type { ReactNode } from 'react'
import type { Field } from '#web/filters/use-fields.ts'
import { customValue } from './cells.tsx'
import type { Column } from './column.ts'

/** How a list shows a field that every record has. */
export type BuiltInColumn<Cell> = Pick<Column<Cell>, 'label' | 'width' | 'cell'> &
  Partial<Omit<Column<Cell>, 'field' | 'isSortable' | 'isOptional'>>

export type CustomCell = (record: { custom: Readonly<Record<string, unknown>> }) => ReactNode

/**
 * Every column that a list can show, by field.
 * @param builtInColumns by field
 * @param fields as the service lists them; undefined while they load, when only built-in columns are known
 */
export function columnsByField<Cell>(
  builtInColumns: Readonly<Record<string, BuiltInColumn<Cell>>>,
  fields: readonly Field[] | undefined,
): ReadonlyMap<string, Column<Cell | CustomCell>> {
  const described = new Map(fields?.map((field) => [field.name, field]))
  const builtIn = Object.entries(builtInColumns).map(
    ([field, column]): Column<Cell> => ({
      field,
      isDescendingFirst: false,
      ...column,
      isSortable: described.get(field)?.is_sortable ?? true,
      isOptional: !described.get(field)?.required,
    }),
  )
  const custom = (fields ?? []).filter(({ id, archived }) => id !== null && !archived).map(customColumn)
  return new Map([...builtIn, ...custom].map((column) => [column.field, column]))
}

const WIDTHS: Partial<Record<Field['type'], number>> = { long_text: 240, multi_select: 180, boolean: 90 }
const DESCENDING_FIRST: readonly Field['type'][] = ['number', 'money', 'date', 'timestamp']

const customColumn = (field: Field): Column<CustomCell> => ({
  field: field.name,
  label: field.label,
  width: WIDTHS[field.type] ?? 130,
  isNumber: field.type === 'number' || field.type === 'money',
  isSortable: field.is_sortable,
  // Records from before the field was required may have none.
  isOptional: true,
  isDescendingFirst: DESCENDING_FIRST.includes(field.type),
  cell: ({ custom }) => customValue(field, custom),
})
