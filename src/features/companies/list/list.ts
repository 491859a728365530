import { type RawBuilder, sql } from 'kysely'
import type { CompanyQuery } from '#src/features/companies/schema.ts'
import { companyFields } from '#src/features/companies/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { all, asList, type JsonPage } from '#src/platform/database/sql.ts'
import { companyConditions, countedFilters, filterKey, otherFilters } from './filters.ts'
import type { ListMemory, Matches } from './memory.ts'
import { opposite, orderBy, orderByColumns, sortingOf, sortKey } from './sorting.ts'
import type { Total } from './totals.ts'

/** A search with up to so many matches has them collected and sorted. */
const SMALL_LIST_ROWS = 5000
/** From here on, rows to pass over are counted in the index alone, from the nearest place that is known. */
const DEEP = 1000

/** The number of statements that have changed companies: equal numbers mean equal lists. */
export const version = sql`(select folded + (select count(*) from company_count_deltas) from company_changes)::float8`

/**
 * A page of companies with its exact total. The total comes from counters, or from an earlier count while no
 * company has changed.
 */
export async function listCompanies(db: Db, lists: ListMemory, query: CompanyQuery): Promise<JsonPage> {
  const { limit = 50, offset = 0, search } = query
  const few = search ? await searchFew(db, lists, query) : undefined
  if (few) return few
  if (offset > DEEP) return listDeep(db, lists, query)
  const { records, ...page } = await readCompanies(
    db,
    sql`select ${companyFields} from companies where ${all(companyConditions(query, 'walk'))}
      ${orderBy(sortingOf(query))} limit ${limit} offset ${offset}`,
  )
  const { total } = await totalAt(db, lists, query, page.version)
  return { records, total }
}

/**
 * The page of a search that matches few companies, in one statement that collects them all. Undefined when the
 * search is broad: then it is quicker to walk along the sort's index until the page is full.
 */
async function searchFew(db: Db, lists: ListMemory, query: CompanyQuery): Promise<JsonPage | undefined> {
  const { limit = 50, offset = 0 } = query
  const known = lists.totals.peek(filterKey(query))
  if (known && (await isBroad(db, lists, query, known))) return undefined
  const most = known ? Number.MAX_SAFE_INTEGER : SMALL_LIST_ROWS
  const key = JSON.stringify([filterKey(query), query.sort, limit, offset, most])
  const { records, ...total } = await lists.searches.do(
    key,
    () => readVersion(db),
    () => collectMatches(db, query, most),
  )
  lists.totals.remember(filterKey(query), total)
  return records === null ? undefined : { records, total: total.total }
}

async function collectMatches(db: Db, query: CompanyQuery, most: number): Promise<Matches> {
  const { limit = 50, offset = 0 } = query
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
    select total, ${version} as version, case when total <= ${most} then (${asList(page)}) end as records
    from counted`.execute(db)
  return rows[0] as Matches
}

/** Whether a walk, which meets a match every `everything / total` rows and needs `offset + limit`, is shorter. */
async function isBroad(db: Db, lists: ListMemory, query: CompanyQuery, { total }: Total): Promise<boolean> {
  const { limit = 50, offset = 0 } = query
  if (total <= SMALL_LIST_ROWS) return false
  const everything = await totalAt(db, lists, {}, 0)
  return total ** 2 > everything.total * (offset + limit)
}

/** How often to read a deep page from the nearest place before giving up, because companies change meanwhile. */
const TRIES = 3

/** A page far from the start: counted from the nearest of the start, the end, and a place that an earlier page showed. */
async function listDeep(db: Db, lists: ListMemory, query: CompanyQuery): Promise<JsonPage> {
  const { limit = 50, offset = 0 } = query
  for (let tries = 0; tries < TRIES; tries++) {
    const expected = await totalAt(db, lists, query, await readVersion(db))
    const page = await readCompanies(db, nearestPage(lists, query, expected))
    if (page.version !== expected.version) continue
    const first = /^\[\{"id":"(\w+)"/.exec(page.records)?.[1]
    if (first) lists.positions.remember(positionsKey(query), page.version, { offset, id: first })
    return { records: page.records, total: expected.total }
  }
  const fromStart = sql`${orderBy(sortingOf(query))} limit ${limit} offset ${offset}`
  const { records, version } = await readCompanies(
    db,
    deepPage(companyConditions(query, 'walk'), fromStart, query),
  )
  return { records, total: (await totalAt(db, lists, query, version)).total }
}

const positionsKey = (query: CompanyQuery) => `${filterKey(query)} ${query.sort ?? '-created_at'}`

/** The page, counted from the nearest place as of `version` changes and with exactly `total` matches. */
function nearestPage(
  { positions }: ListMemory,
  query: CompanyQuery,
  { total, version }: Total,
): RawBuilder<unknown> {
  const { limit = 50, offset = 0 } = query
  const sorting = sortingOf(query)
  const conditions = companyConditions(query, 'walk')
  const behind = total - offset
  const place =
    sorting.field === 'created_at' ? positions.before(positionsKey(query), version, offset) : undefined
  if (place && offset - place.offset < behind) {
    const fromPlace = sql`companies.id ${sorting.descending ? sql`<=` : sql`>=`} ${place.id}`
    const ids = sql`${orderBy(sorting)} limit ${limit} offset ${offset - place.offset}`
    return deepPage([...conditions, fromPlace], ids, query)
  }
  const ids =
    behind < offset
      ? sql`${orderBy(opposite(sorting))} limit ${Math.max(0, Math.min(limit, behind))}
          offset ${Math.max(0, behind - limit)}`
      : sql`${orderBy(sorting)} limit ${limit} offset ${offset}`
  return deepPage(conditions, ids, query)
}

const deepPage = (conditions: RawBuilder<unknown>[], ids: RawBuilder<unknown>, query: CompanyQuery) =>
  sql`select ${companyFields} from
      (select companies.id as match_id from companies where ${all(conditions)} ${ids}) page
    join companies on companies.id = match_id ${orderBy(sortingOf(query))}`

const totalAt = (db: Db, { totals }: ListMemory, query: CompanyQuery, changes: number): Promise<Total> =>
  totals.at(filterKey(query), changes, () => countCompanies(db, query))

async function countCompanies(db: Db, query: CompanyQuery): Promise<Total> {
  const counted = countedFilters(query)
  const others = otherFilters(query, 'index')
  const total =
    others.length > 0
      ? sql`select count(*) from companies where ${all([...counted, ...others])}`
      : sql`select coalesce(sum(n), 0) from
          (select * from company_counts union all select * from company_count_deltas) counts where ${all(counted)}`
  const { rows } = await sql<Total>`select (${total})::float8 as total, ${version} as version`.execute(db)
  return rows[0] as Total
}

export async function readVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select ${version} as version`.execute(db)
  return rows[0]?.version ?? 0
}

async function readCompanies(db: Db, page: RawBuilder<unknown>): Promise<{ records: Json; version: number }> {
  const { rows } = await sql<{ records: Json; version: number }>`
    select (${asList(page)}) as records, ${version} as version`.execute(db)
  return rows[0] as { records: Json; version: number }
}
