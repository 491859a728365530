import type { RawBuilder } from 'kysely'
import { companyConditions, companyFields, readCompanyFields } from '#src/features/companies/index.ts'
import { dealFields, readDealFields } from '#src/features/deals/index.ts'
import { personFields, personSearch, readPersonFields } from '#src/features/people/index.ts'
import { thesisFields, thesisSummaryFields } from '#src/features/theses/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Fields } from '#src/platform/filter/fields.ts'
import { type FilterCaller, parseCallersFilter } from '#src/platform/filter/query.ts'
import { toSql } from '#src/platform/filter/to-sql.ts'
import { parseFilter } from '#src/platform/filter/tree.ts'
import { UTC } from '#src/platform/schema/time-zone.ts'
import type { View, ViewEntity } from './schema.ts'

/** The user to whom a view shows records. */
export type ViewCaller = FilterCaller & { email: string }

/** The records that views of a kind show. */
interface ViewRecords {
  table: 'companies' | 'dealflow' | 'theses' | 'people'
  /** A record's fields as its list shows them. */
  shown: RawBuilder<unknown>
  /** What views can be filtered and sorted by. */
  readFields(db: Db): Promise<Fields>
  /** The conditions of the search of the list, if it has one. */
  search?(text: string): RawBuilder<unknown>[]
}

export const VIEW_RECORDS: Record<ViewEntity, ViewRecords> = {
  company: {
    table: 'companies',
    shown: companyFields,
    readFields: readCompanyFields,
    search: (search) => companyConditions({ search }, 'index'),
  },
  deal: { table: 'dealflow', shown: dealFields, readFields: readDealFields },
  thesis: { table: 'theses', shown: thesisSummaryFields, readFields: async () => thesisFields },
  person: { table: 'people', shown: personFields, readFields: readPersonFields, search: personSearch },
}

/**
 * The conditions of the records that a view shows to a user.
 * @param now which relative dates count from; by default, the present
 * @throws InvalidInput for a wrong filter
 */
export async function conditionsOf(
  db: Db,
  { entity, search, applied }: View,
  caller: FilterCaller,
  now?: Date,
): Promise<RawBuilder<unknown>[]> {
  const { readFields, search: searchConditions } = VIEW_RECORDS[entity]
  const conditions = search === null ? [] : (searchConditions?.(search) ?? [])
  if (applied.filter === null) return conditions
  const fields = await readFields(db)
  const { condition } = await parseCallersFilter(applied.filter, fields, caller, now)
  return [...conditions, toSql(condition)]
}

/**
 * Whether the records of a view may depend on other tables.
 * @throws InvalidInput for a wrong filter
 */
export async function readsOtherTables(
  db: Db,
  { entity, applied }: View,
  { email }: FilterCaller,
): Promise<boolean> {
  if (applied.filter === null) return false
  const fields = await VIEW_RECORDS[entity].readFields(db)
  const filter = parseFilter(applied.filter, fields, { now: new Date(), email, timeZone: UTC })
  return [...filter.fields].some((field) => field.readsOtherTables)
}
