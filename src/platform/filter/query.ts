import { type RawBuilder, sql } from 'kysely'
import type { Fields } from './fields.ts'
import { orderBySort, parseSortText } from './sort.ts'
import { toSql } from './to-sql.ts'
import { parseFilter, parseFilterText } from './tree.ts'

/** The condition of a filter in a query, if there is one. @throws InvalidInput */
export const filterConditions = (
  filter: string | undefined,
  fields: Fields,
  caller: { email: string } | null,
): RawBuilder<unknown>[] => {
  if (filter === undefined) return []
  const context = { now: new Date(), email: caller?.email ?? null }
  return [toSql(parseFilter(parseFilterText(filter), fields, context).condition)]
}

/** The `order by` of a sort in a query, if there is one. @throws InvalidInput */
export const sortOrder = (sort: string | undefined, fields: Fields): RawBuilder<unknown> | undefined =>
  sort === undefined ? undefined : orderBySort(parseSortText(sort, fields), sql`id`)
