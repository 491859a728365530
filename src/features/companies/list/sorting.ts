import { type RawBuilder, sql } from 'kysely'
import type { CompanyQuery, SORT_FIELDS } from '#src/features/companies/schema.ts'

export interface Sorting {
  field: (typeof SORT_FIELDS)[number]
  descending: boolean
}

export const sortingOf = ({ sort = '-created_at' }: CompanyQuery): Sorting => ({
  field: sort.replace('-', '') as Sorting['field'],
  descending: sort.startsWith('-'),
})

export const reversed = ({ field, descending }: Sorting): Sorting => ({ field, descending: !descending })

/** The expression that a field is sorted by. Ids are in the order of creation. */
export const sortKey = ({ field }: Sorting): RawBuilder<unknown> =>
  field === 'created_at' ? sql`companies.id` : sql.ref(field === 'name' ? 'name_sort' : field)

/** `order by` for the companies table. It matches the definition of an index, so PostgreSQL does not have to sort. */
export function orderBy(sorting: Sorting): RawBuilder<unknown> {
  const { field, descending } = sorting
  const direction = descending ? sql`desc` : sql`asc`
  if (field === 'created_at') return sql`order by companies.id ${direction}`
  // These columns are never null, so their indexes do not say where nulls go.
  if (field === 'name' || field === 'updated_at')
    return sql`order by ${sortKey(sorting)} ${direction}, companies.id ${direction}`
  return orderByColumns(sortKey(sorting), sql`companies.id`, descending)
}

/** `order by` for any pair of a sort key and an id. */
export function orderByColumns(key: RawBuilder<unknown>, id: RawBuilder<unknown>, descending: boolean) {
  return descending
    ? sql`order by ${key} desc nulls last, ${id} desc`
    : sql`order by ${key} asc nulls first, ${id} asc`
}
