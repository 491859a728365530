import { type RawBuilder, sql } from 'kysely'
import { UTC } from '#src/platform/schema/time-zone.ts'
import type { Fields } from './fields.ts'
import { orderBySort, parseSortText } from './sort.ts'
import { toSql } from './to-sql.ts'
import { type ParsedFilter, parseFilter, parseFilterText } from './tree.ts'

/** Who filters: "me", and whose day "today" is. */
export interface FilterCaller {
  /** In lower case; null if unknown. */
  readonly email: string | null
  /** The IANA time zone whose days count. */
  readTimeZone(): Promise<string>
}

/**
 * Checks a filter of a caller, whose time zone is read only if the filter compares with days.
 * @param now by default, the present
 * @throws InvalidInput that names the condition that is wrong
 */
export async function parseCallersFilter(
  filter: unknown,
  fields: Fields,
  { email, readTimeZone }: FilterCaller,
  now = new Date(),
): Promise<ParsedFilter> {
  const parsed = parseFilter(filter, fields, { now, email, timeZone: UTC })
  const hasDates = [...parsed.fields].some(({ type }) => type === 'date' || type === 'timestamp')
  return hasDates ? parseFilter(filter, fields, { now, email, timeZone: await readTimeZone() }) : parsed
}

/** The condition of a filter in a query, if there is one. @throws InvalidInput */
export const filterConditions = async (
  filter: string | undefined,
  fields: Fields,
  caller: FilterCaller,
): Promise<RawBuilder<unknown>[]> => {
  if (filter === undefined) return []
  const { condition } = await parseCallersFilter(parseFilterText(filter), fields, caller)
  return [toSql(condition)]
}

/** The `order by` of a sort in a query, if there is one. @throws InvalidInput */
export const sortOrder = (sort: string | undefined, fields: Fields): RawBuilder<unknown> | undefined =>
  sort === undefined ? undefined : orderBySort(parseSortText(sort, fields), sql`id`)
