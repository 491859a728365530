import { type RawBuilder, sql } from 'kysely'
import { InvalidInput } from '#src/platform/errors.ts'
import { type Fields, type FilterField, isSortable, sqlTypeOf, whereListed } from './fields.ts'
import { hasNullsFirst, MAX_SORT_FIELDS, type SortKey, splitSort } from './schema.ts'
import { shownShort } from './shown.ts'

type Sql = RawBuilder<unknown>

/** A sort in a query, such as `-llm_score_overall,name`. */
export const parseSortText = (text: string, fields: Fields): ParsedSortKey[] =>
  parseSort(splitSort(text), fields)

/** A field to sort by. */
export interface ParsedSortKey {
  field: FilterField
  isDescending: boolean
  /** Whether records without a value come first. */
  areNullsFirst: boolean
}

/**
 * Checks what to sort by.
 * @throws InvalidInput for an unknown field, one that records cannot be sorted by, and one that is named twice
 */
export function parseSort(keys: readonly SortKey[], fields: Fields): ParsedSortKey[] {
  if (keys.length > MAX_SORT_FIELDS)
    throw new InvalidInput(`sort must name at most ${MAX_SORT_FIELDS} fields, not ${keys.length}.`)
  return keys.map((key, index) => {
    const { field: name, direction = 'asc' } = key
    const field = fields.get(name)
    if (!field || !isSortable(field))
      throw new InvalidInput(
        `sort[${index}].field must be the name of a field to sort by, not ${shownShort(name)}. ${whereListed(fields)}`,
      )
    if (keys.findIndex((other) => other.field === name) < index)
      throw new InvalidInput(`sort[${index}].field repeats "${name}". Each field can appear once.`)
    return { field, isDescending: direction === 'desc', areNullsFirst: hasNullsFirst(key) }
  })
}

/** Long text is sorted by its beginning, which no index has. */
const SORTED_CHARACTERS = sql.lit(100)

/** What a field is sorted by: its folded value if it is text. */
export function sortExpression(field: FilterField): Sql {
  if (field.sortBy) return field.sortBy
  if (field.type === 'multi_select') return sql`null`
  if (field.type === 'long_text') return sql`fold_text(left(${field.sql}, ${SORTED_CHARACTERS}))`
  const isText = sqlTypeOf(field) === 'text' && field.type === 'text'
  return isText ? (field.foldedSql ?? sql`fold_text(${field.sql})`) : field.sql
}

/** `order by` for a table. Ties are in the direction of the last key. */
export function orderBySort(keys: readonly ParsedSortKey[], id: Sql): Sql {
  const parts = keys.map((key) => sql`${sortExpression(key.field)} ${directionOf(key)}`)
  return sql`order by ${sql.join([...parts, sql`${id} ${tieDirection(keys)}`])}`
}

/** The direction of a key. Where every record has a value, an index may not say where empty ones would go. */
export const directionOf = ({ field, isDescending, areNullsFirst }: ParsedSortKey): Sql =>
  sql`${isDescending ? sql`desc` : sql`asc`}${
    field.isRequired ? sql`` : areNullsFirst ? sql` nulls first` : sql` nulls last`
  }`

/** The direction of ids among records with equal values. */
export const tieDirection = (keys: readonly ParsedSortKey[]): Sql =>
  keys.at(-1)?.isDescending ? sql`desc` : sql`asc`

/** Whether the field has an index, which has its empty values at the other end. */
export const isAgainstIndex = ({ field, isDescending, areNullsFirst }: ParsedSortKey): boolean =>
  field.sortIndex !== undefined &&
  !field.isRequired &&
  areNullsFirst !== (field.sortIndex === 'ascending' ? isDescending : !isDescending)
