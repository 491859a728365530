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

export const opposite = ({ field, descending }: Sorting): Sorting => ({ field, descending: !descending })

/** What a field is sorted by. An id tells when its company was created. */
export const sortKey = ({ field }: Sorting): RawBuilder<unknown> =>
  field === 'created_at' ? sql`companies.id` : sql.ref(field === 'name' ? 'name_sort' : field)

/** `order by` for the companies table, in the words of the sort's index, so that it is walked instead of sorting. */
export function orderBy(sorting: Sorting): RawBuilder<unknown> {
  const { field, descending } = sorting
  const direction = descending ? sql`desc` : sql`asc`
  if (field === 'created_at') return sql`order by companies.id ${direction}`
  // These two are never null, and their indexes are plain.
  if (field === 'name' || field === 'updated_at')
    return sql`order by ${sortKey(sorting)} ${direction}, companies.id ${direction}`
  return orderByColumns(sortKey(sorting), sql`companies.id`, descending)
}

/** `order by` for a key and an id that are columns of their own. */
export function orderByColumns(key: RawBuilder<unknown>, id: RawBuilder<unknown>, descending: boolean) {
  return descending
    ? sql`order by ${key} desc nulls last, ${id} desc`
    : sql`order by ${key} asc nulls first, ${id} asc`
}
