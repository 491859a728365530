import { type RawBuilder, sql } from 'kysely'
import type { CompanyQuery } from '#src/features/companies/schema.ts'
import { companyFields } from '#src/features/companies/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { all, asList, type JsonPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ListCaches, Matches } from './caches.ts'
import { companyConditions, countedConditions, filterKey, uncountedConditions } from './filters.ts'
import { orderBy, orderByColumns, reversed, sortingOf, sortKey } from './sorting.ts'
import type { Total } from './totals.ts'

/** A search with up to this many matches collects and sorts all of them. */
const SMALL_LIST_ROWS = 5000
/** Beyond this offset, rows are skipped in the index alone, starting at the nearest known position. */
const DEEP_OFFSET = 1000
/** How often a deep page is read again because companies changed during the read. */
const MAX_DEEP_ATTEMPTS = 3

/** The number of statements that have changed companies. Lists with equal versions are equal. */
export const version = sql`(select folded + (select count(*) from company_count_deltas) from company_changes)::float8`

/** A page of companies with its exact total, which comes from counters or from the cache. */
export async function listCompanies(db: Db, caches: ListCaches, query: CompanyQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const sortedMatches = query.search ? await sortMatches(db, caches, query) : undefined
  if (sortedMatches) return sortedMatches
  if (offset > DEEP_OFFSET) return readDeepPage(db, caches, query)
  const { records, ...page } = await readPage(
    db,
    sql`select ${companyFields} from companies where ${all(companyConditions(query, 'scan'))}
      ${orderBy(sortingOf(query))} limit ${limit} offset ${offset}`,
  )
  const { total } = await totalAt(db, caches, query, page.version)
  return { records, total }
}

/**
 * The page of a search, from all of its matches. Undefined if there are so many matches that scanning the sort's index
 * until the page is full is faster.
 */
async function sortMatches(db: Db, caches: ListCaches, query: CompanyQuery): Promise<JsonPage | undefined> {
  const { limit, offset } = pageOf(query)
  const cached = caches.totals.peek(filterKey(query))
  if (cached && (await isScanFaster(db, caches, query, cached))) return undefined
  const maxMatches = cached ? Number.MAX_SAFE_INTEGER : SMALL_LIST_ROWS
  const key = JSON.stringify([filterKey(query), query.sort, limit, offset, maxMatches])
  const { records, ...total } = await caches.searches.run(
    key,
    () => readVersion(db),
    () => collectMatches(db, query, maxMatches),
  )
  caches.totals.set(filterKey(query), total)
  return records === null ? undefined : { records, total: total.total }
}

async function collectMatches(db: Db, query: CompanyQuery, maxMatches: number): Promise<Matches> {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const order = orderByColumns(sql`sort_key`, sql`match_id`, sorting.descending)
  const page = sql`select ${companyFields} from
      (select * from matching ${order} limit ${limit} offset ${offset}) page
    join companies on companies.id = match_id ${orderBy(sorting)}`
  const { rows } = await sql<Matches>`
    with matching as materialized (
      select companies.id as match_id, ${sortKey(sorting)} as sort_key from companies
      where ${all(companyConditions(query, 'index'))}),
    counted as materialized (select count(*)::float8 as total from matching)
    select total, ${version} as version, case when total <= ${maxMatches} then (${asList(page)}) end as records
    from counted`.execute(db)
  return rows[0] as Matches
}

/** A scan meets a match every `companies / total` rows, and needs `offset + limit` matches. */
async function isScanFaster(
  db: Db,
  caches: ListCaches,
  query: CompanyQuery,
  { total }: Total,
): Promise<boolean> {
  const { limit, offset } = pageOf(query)
  if (total <= SMALL_LIST_ROWS) return false
  const companies = await totalAt(db, caches, {}, 0)
  return total ** 2 > companies.total * (offset + limit)
}

/** A page far from the start, counted from the nearest of the start, the end and a known position. */
async function readDeepPage(db: Db, caches: ListCaches, query: CompanyQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  for (let attempt = 0; attempt < MAX_DEEP_ATTEMPTS; attempt++) {
    const expected = await totalAt(db, caches, query, await readVersion(db))
    const page = await readPage(db, nearestPage(caches, query, expected))
    if (page.version !== expected.version) continue
    const firstId = /^\[\{"id":"(\w+)"/.exec(page.records)?.[1]
    if (firstId) caches.positions.add(positionsKey(query), page.version, { offset, id: firstId })
    return { records: page.records, total: expected.total }
  }
  const fromStart = sql`${orderBy(sortingOf(query))} limit ${limit} offset ${offset}`
  const { records, version } = await readPage(
    db,
    deepPage(companyConditions(query, 'scan'), fromStart, query),
  )
  return { records, total: (await totalAt(db, caches, query, version)).total }
}

const positionsKey = (query: CompanyQuery) => `${filterKey(query)} ${query.sort ?? '-created_at'}`

/** The query for a deep page of a list that has exactly this total at this version. */
function nearestPage(
  { positions }: ListCaches,
  query: CompanyQuery,
  { total, version }: Total,
): RawBuilder<unknown> {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const conditions = companyConditions(query, 'scan')
  const remaining = total - offset
  const position =
    sorting.field === 'created_at' ? positions.nearestBefore(positionsKey(query), version, offset) : undefined
  if (position && offset - position.offset < remaining) {
    const fromPosition = sql`companies.id ${sorting.descending ? sql`<=` : sql`>=`} ${position.id}`
    const ids = sql`${orderBy(sorting)} limit ${limit} offset ${offset - position.offset}`
    return deepPage([...conditions, fromPosition], ids, query)
  }
  const ids =
    remaining < offset
      ? sql`${orderBy(reversed(sorting))} limit ${Math.max(0, Math.min(limit, remaining))}
          offset ${Math.max(0, remaining - limit)}`
      : sql`${orderBy(sorting)} limit ${limit} offset ${offset}`
  return deepPage(conditions, ids, query)
}

const deepPage = (conditions: RawBuilder<unknown>[], ids: RawBuilder<unknown>, query: CompanyQuery) =>
  sql`select ${companyFields} from
      (select companies.id as match_id from companies where ${all(conditions)} ${ids}) page
    join companies on companies.id = match_id ${orderBy(sortingOf(query))}`

const totalAt = (db: Db, { totals }: ListCaches, query: CompanyQuery, version: number): Promise<Total> =>
  totals.get(filterKey(query), version, () => countCompanies(db, query))

async function countCompanies(db: Db, query: CompanyQuery): Promise<Total> {
  const counted = countedConditions(query)
  const uncounted = uncountedConditions(query, 'index')
  const total =
    uncounted.length > 0
      ? sql`select count(*) from companies where ${all([...counted, ...uncounted])}`
      : sql`select coalesce(sum(n), 0) from
          (select * from company_counts union all select * from company_count_deltas) counts where ${all(counted)}`
  const { rows } = await sql<Total>`select (${total})::float8 as total, ${version} as version`.execute(db)
  return rows[0] as Total
}

/** The present version of the table. */
export async function readVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select ${version} as version`.execute(db)
  return rows[0]?.version ?? 0
}

async function readPage(db: Db, page: RawBuilder<unknown>): Promise<{ records: Json; version: number }> {
  const { rows } = await sql<{ records: Json; version: number }>`
    select (${asList(page)}) as records, ${version} as version`.execute(db)
  return rows[0] as { records: Json; version: number }
}
