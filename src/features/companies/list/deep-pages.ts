import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type Json, type JsonPage, jsonArray } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { companyFields } from '../store.ts'
import type { ListCaches } from './caches.ts'
import { countOf, totalAt } from './count.ts'
import { companyConditions } from './filters.ts'
import type { Listing } from './selection.ts'
import { orderBy, pageIds, reversed, sortingOf } from './sorting.ts'
import { readVersion, version } from './version.ts'

/** How often a deep page is read again because companies changed during the read. */
const MAX_ATTEMPTS = 3

/** A page far from the start: rows are skipped in the index alone, from the nearest end of the list. */
export async function readDeepPage(db: Db, caches: ListCaches, query: Listing): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const conditions = companyConditions(query, 'scan')
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const expected = await totalAt(db, caches, query, await readVersion(db))
    const ids = idsFromNearestEnd(conditions, query, expected.total)
    const page = await readCounted(db, query, ids, sql`${expected.total}::float8`)
    if (page.version === expected.version) return { records: page.records, total: page.total }
  }
  const ids = pageIds(conditions, sortingOf(query), limit, offset)
  const { records, total } = await readCounted(db, query, ids, countOf(query))
  return { records, total }
}

/** Selects the ids of a page, counted from the nearest end of a list with this total. */
export function idsFromNearestEnd(
  conditions: RawBuilder<unknown>[],
  query: Listing,
  total: number,
): RawBuilder<unknown> {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const remaining = Math.max(0, total - offset)
  return isCountedFromEnd(query, total)
    ? pageIds(conditions, reversed(sorting), Math.min(limit, remaining), Math.max(0, remaining - limit))
    : pageIds(conditions, sorting, limit, offset)
}

export function isCountedFromEnd(query: Listing, total: number): boolean {
  const { offset } = pageOf(query)
  return total - offset < offset
}

/** Looks the rows up by an array of ids: PostgreSQL cannot tell how few they are and would join the whole table. */
export async function readCounted(
  db: Db,
  query: Listing,
  ids: RawBuilder<unknown>,
  total: RawBuilder<unknown>,
): Promise<{ records: Json; total: number; version: number }> {
  const page = sql`select ${companyFields} from companies where companies.id = any(array(${ids}))
    ${orderBy(sortingOf(query))}`
  const { rows } = await sql<{ records: Json; total: number; version: number }>`
    select (${jsonArray(page)}) as records, ${total} as total, ${version} as version`.execute(db)
  return rows[0] as { records: Json; total: number; version: number }
}
