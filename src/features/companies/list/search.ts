import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, type JsonPage, jsonArray } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { companyFields } from '../store.ts'
import type { ListCaches, Matches } from './caches.ts'
import { totalAt } from './count.ts'
import { companyConditions, filterKey } from './filters.ts'
import { readFromMatchSet } from './matches.ts'
import { isLookedUp } from './search-conditions.ts'
import type { Listing } from './selection.ts'
import { orderBy, sortCacheKey, sortColumns, sortingOf } from './sorting.ts'
import { pageVersion, readPageVersion } from './version.ts'

/** A search with up to this many matches looks them up in the trigram index each time. */
const SMALL_LIST_ROWS = 5000
/** The companies of a tag with more are found sooner along the order of the list; the counters have their total. */
const MAX_LOOKED_UP_TAGGED = 2000
/** With more companies than this, the sets of matches would need too much memory. */
const MAX_COMPANIES = 4_000_000

/**
 * A page of a search.
 * @returns undefined if there are too many companies to keep the set of matches
 */
export async function listMatches(db: Db, caches: ListCaches, query: Listing): Promise<JsonPage | undefined> {
  if (isLookedUp(query.search ?? '') && !caches.matchSets.peek(filterKey(query))) {
    const page = await sortMatches(db, caches, query, SMALL_LIST_ROWS)
    if (page) return page
  }
  const companies = await totalAt(db, caches, {}, 0)
  if (companies.total > MAX_COMPANIES) return undefined
  return (await readFromMatchSet(db, caches, query)) ?? sortMatches(db, caches, query)
}

/**
 * A page of the companies with a tag. Without looking the tag up, PostgreSQL would go through all companies in search of
 * the few that have it.
 * @returns undefined if many have it
 */
export async function listTagged(db: Db, caches: ListCaches, query: Listing): Promise<JsonPage | undefined> {
  const { total } = await totalAt(db, caches, { tags: query.tags }, 0)
  return total <= MAX_LOOKED_UP_TAGGED ? sortMatches(db, caches, query, SMALL_LIST_ROWS) : undefined
}

/** A page from all matches, which are sorted. Undefined if there are more than `maxMatches`. */
async function sortMatches(
  db: Db,
  { searches }: ListCaches,
  query: Listing,
  maxMatches = Number.MAX_SAFE_INTEGER,
): Promise<JsonPage | undefined> {
  const { limit, offset } = pageOf(query)
  const { records, total } = await searches.run(
    JSON.stringify([filterKey(query), sortCacheKey(sortingOf(query)), limit, offset, maxMatches]),
    () => readPageVersion(db),
    () => collectMatches(db, query, maxMatches),
  )
  return records === null ? undefined : { records, total }
}

/** Stops collecting after `maxMatches`. */
async function collectMatches(db: Db, query: Listing, maxMatches: number): Promise<Matches> {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const { columns, order } = sortColumns(sorting, sql`match_id`)
  const page = sql`select ${companyFields} from
      (select * from matching ${order} limit ${limit} offset ${offset}) page
    join companies on companies.id = match_id ${orderBy(sorting)}`
  const { rows } = await sql<Matches>`
    with matching as materialized (
      select companies.id as match_id, ${columns} from companies
      where ${all(companyConditions(query, 'index'))}),
    counted as materialized (
      select count(*)::float8 as total from (select from matching limit ${maxMatches}::bigint + 1) counted)
    select total, ${pageVersion} as version, case when total <= ${maxMatches} then (${jsonArray(page)}) end as records
    from counted`.execute(db)
  return rows[0] as Matches
}
