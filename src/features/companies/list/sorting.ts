import { type RawBuilder, sql } from 'kysely'
import { all } from '#src/platform/database/sql.ts'
import type { SortGroups } from '#src/platform/filter/fields.ts'
import {
  directionOf,
  isAgainstIndex,
  orderBySort,
  type ParsedSortKey,
  sortExpression,
  tieDirection,
} from '#src/platform/filter/sort.ts'
import { creationField } from '../fields.ts'
import type { Listing } from '../selection/selection.ts'

type Sql = RawBuilder<unknown>
export type Sorting = readonly ParsedSortKey[]

const id = sql`companies.id`
const NEWEST_FIRST: Sorting = [{ field: creationField, isDescending: true, areNullsFirst: false }]

export const sortingOf = ({ sort }: Listing): Sorting => (sort && sort.length > 0 ? sort : NEWEST_FIRST)

/** Whether companies are in the order of their ids. */
const isByCreation = ([first]: Sorting): boolean => first?.field.name === creationField.name

/** Whether the first companies come first. */
const isAscending = (sorting: Sorting): boolean => sorting[0]?.isDescending === false

/** `order by` for the companies table. It matches the definition of an index, so PostgreSQL does not have to sort. */
export const orderBy = (sorting: Sorting): Sql =>
  // Ids are unique, so what follows them does not matter.
  isByCreation(sorting)
    ? sql`order by ${id} ${isAscending(sorting) ? sql`asc` : sql`desc`}`
    : orderBySort(sorting, id)

/** The sort keys as columns `sort_0`, `sort_1` …, and the `order by` of these columns and the id. */
export function sortColumns(sorting: Sorting, matchId: Sql): { columns: Sql; order: Sql } {
  const names = sorting.map((_key, index) => sql.id(`sort_${index}`))
  const columns = sorting.map(({ field }, index) => sql`${sortExpression(field)} as ${names[index]}`)
  const keys = sorting.map((key, index) => sql`${names[index]} ${directionOf(key)}`)
  return {
    columns: sql.join(columns),
    order: sql`order by ${sql.join([...keys, sql`${matchId} ${tieDirection(sorting)}`])}`,
  }
}

/** Up to this end of a page, the first companies of every thesis are few. */
const MAX_GROUP_ROWS = 2000

/** Selects the ids of a page, through an index if there is one. */
export function pageIds(conditions: Sql[], sorting: Sorting, limit: number, offset: number): Sql {
  const [key] = sorting as [ParsedSortKey]
  const range = sql`limit ${limit} offset ${offset}`
  if (isInIndexOrder(sorting) || (isByThesis(key) && offset + limit > MAX_GROUP_ROWS))
    return sql`select companies.id from companies where ${all(conditions)} ${orderBy(sorting)} ${range}`
  const first = isByThesis(key) ? firstOfTheses : key.field.sortGroups ? firstOfGroups : firstWithValue
  return inParts(conditions, key, limit, offset, first(conditions, key, offset + limit))
}

const isByThesis = ({ field }: ParsedSortKey) => field.name === 'thesis_id'

/** Whether one statement can read the list in order: through an index if the field has one. */
export const isInIndexOrder = ([key, ...others]: Sorting): boolean =>
  !key || others.length > 0 || (!isByThesis(key) && !key.field.sortGroups && !isAgainstIndex(key))

/** The companies with a value, and those without one, each in the order of an index. */
function inParts(conditions: Sql[], key: ParsedSortKey, limit: number, offset: number, withValue: Sql): Sql {
  const tie = tieDirection([key])
  const value = isByThesis(key) ? sql`thesis_id` : (key.field.sortGroups?.sql ?? sortExpression(key.field))
  const empty = sql`${value} is null`
  const withoutValue = sql`select companies.id, null, true from companies where ${all([...conditions, empty])}
    order by companies.id ${tie} limit ${offset + limit}`
  return sql`select id from ((${withValue}) union all (${withoutValue})) parts
    order by is_empty ${key.areNullsFirst ? sql`desc` : sql`asc`}, sort_key ${key.isDescending ? sql`desc` : sql`asc`}, id ${tie}
    limit ${limit} offset ${offset}`
}

function firstWithValue(conditions: Sql[], key: ParsedSortKey, rows: number): Sql {
  const natural = { ...key, areNullsFirst: !key.areNullsFirst }
  const value = sortExpression(key.field)
  return sql`select companies.id, ${value} as sort_key, false as is_empty from companies
    where ${all([...conditions, sql`${value} is not null`])} ${orderBy([natural])} limit ${rows}`
}

/**
 * Goes through the groups in their order, each through the index, until there are enough rows. Nested loops keep the order of
 * their outer side, and a lateral join with a limit is always one.
 */
function firstOfGroups(conditions: Sql[], key: ParsedSortKey, rows: number): Sql {
  const { values, sql: value } = key.field.sortGroups as SortGroups
  const choices = sql`select value, place from unnest(${values}::text[]) with ordinality as choice(value, place)
    order by place ${key.isDescending ? sql`desc` : sql`asc`}`
  return sql`select first.id, place as sort_key, false as is_empty from (${choices}) choice
    cross join lateral (select companies.id from companies
      where ${all([...conditions, sql`${value} = choice.value`])}
      order by companies.id ${tieDirection([key])} limit ${rows}) first
    limit ${rows}`
}

/** There are few theses, so the first companies of each of them are few. */
const firstOfTheses = (conditions: Sql[], key: ParsedSortKey, rows: number): Sql => sql`
  select first.id, thesis.code as sort_key, false as is_empty from (select id as thesis, fold_text(code) as code from theses) thesis
  cross join lateral (select companies.id from companies
    where ${all([...conditions, sql`thesis_id = thesis.thesis`])}
    order by companies.id ${tieDirection([key])} limit ${rows}) first`
