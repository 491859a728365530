import { type RawBuilder, sql } from 'kysely'
import type { CompanyFilters, CompanyQuery } from '#src/features/companies/schema.ts'
import { companyFields } from '#src/features/companies/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, asList, type JsonPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ListCaches, Matches } from './caches.ts'
import { DEEP_OFFSET, totalAt } from './deep-pages.ts'
import { companyConditions, filterKey, hasTrigram } from './filters.ts'
import {
  collectMatchSet,
  companyCount,
  MAX_MATCH_SET_IDS,
  type MatchSet,
  matchSet,
  moment,
  refreshMatchSet,
} from './match-sets.ts'
import { SortedIds } from './sorted-ids.ts'
import { orderBy, orderByColumns, sortingOf, sortKey } from './sorting.ts'
import { readVersion } from './version.ts'

/** A search with up to this many matches collects and sorts all of them. */
const SMALL_LIST_ROWS = 5000
/** How often a page is read again because a match on it changed during the read. */
const MAX_ATTEMPTS = 5

/**
 * A page of a search. A rare word is looked up in the trigram index each time. Otherwise the ids of all matches are
 * collected once, and later brought up to date from the change log.
 * @returns undefined if scanning the sort's index until the page is full is faster, or if there are too many matches
 */
export async function listMatches(
  db: Db,
  caches: ListCaches,
  query: CompanyQuery,
): Promise<JsonPage | undefined> {
  if (!caches.matchSets.get(query) && hasTrigram(query.search ?? '')) {
    const page = await sortMatches(db, caches, query, SMALL_LIST_ROWS)
    if (page) return page
  }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const set = caches.matchSets.get(query) ?? (await collect(db, caches, query))
    if (!set) return undefined
    const { ids, page } = planPage(set, query)
    const refreshed = await refreshMatchSet(db, query, set, page)
    if (!refreshed) {
      caches.matchSets.delete(query)
      continue
    }
    const { records, set: current } = refreshed
    caches.matchSets.set(query, current)
    caches.totals.set(filterKey(query), current)
    if (!page) return isScanFaster(current, query) ? undefined : sortMatches(db, caches, query)
    const isCurrent = !ids || ids.join() === planPage(current, query).ids?.join()
    if (isCurrent || attempt === MAX_ATTEMPTS) return { records, total: current.total }
  }
  return undefined
}

interface PlannedPage {
  /** The ids that the page is read from, if they come from the set. */
  ids?: string[]
  /** undefined if neither the set nor a short scan gives the page. */
  page?: RawBuilder<unknown>
}

function planPage(set: MatchSet, query: CompanyQuery): PlannedPage {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const select = (where: RawBuilder<unknown>, range = sql`limit ${limit} offset ${offset}`) =>
    sql`select ${companyFields} from companies where ${where} ${orderBy(sorting)} ${range}`
  if (!set.isInverted && sorting.field === 'created_at') {
    const end = sorting.descending ? Math.max(0, set.total - offset) : offset + limit
    const start = sorting.descending ? Math.max(0, end - limit) : offset
    const ids = set.ids.slice(start, end)
    return { ids, page: select(sql`companies.id = any(${ids})`, sql``) }
  }
  if (!set.isInverted && set.total <= SMALL_LIST_ROWS) {
    const ids = set.ids.slice(0, set.total)
    return { ids, page: select(sql`companies.id = any(${ids})`) }
  }
  if (offset > DEEP_OFFSET || !isScanFaster(set, query)) return {}
  return { page: select(all(companyConditions(query, 'scan'))) }
}

/** A scan meets a match every `companies / total` rows, and needs `offset + limit` matches. */
function isScanFaster({ total, companies }: MatchSet, query: CompanyQuery): boolean {
  const { limit, offset } = pageOf(query)
  return total ** 2 > companies * (offset + limit)
}

/** Collects the matches, or all other companies if those are fewer. Undefined if even those are too many to keep. */
async function collect(db: Db, caches: ListCaches, query: CompanyQuery): Promise<MatchSet | undefined> {
  const { total } = await totalAt(db, caches, {}, 0)
  const share = await estimateShare(db, query)
  if (Math.min(share, 1 - share) * total > MAX_MATCH_SET_IDS) return undefined
  return caches.matchSets.collect(query, () => collectMatchSet(db, query, share > 0.5))
}

/** About what share of all companies matches, from one in a hundred pages of the table. */
async function estimateShare(db: Db, filters: CompanyFilters): Promise<number> {
  const { rows } = await sql<{ share: number | null }>`
    select avg(coalesce(${all(companyConditions(filters, 'scan'))}, false)::int)::float8 as share
    from companies tablesample system (1)`.execute(db)
  return rows[0]?.share ?? 0
}

/** A page from all matches of a search. If there are more than `maxMatches`, caches their ids instead. */
async function sortMatches(
  db: Db,
  caches: ListCaches,
  query: CompanyQuery,
  maxMatches = Number.MAX_SAFE_INTEGER,
): Promise<JsonPage | undefined> {
  const { limit, offset } = pageOf(query)
  const key = JSON.stringify([filterKey(query), query.sort, limit, offset, maxMatches])
  const { records, ids, ...counted } = await caches.searches.run(
    key,
    () => readVersion(db),
    () => sortAllMatches(db, query, maxMatches),
  )
  caches.totals.set(filterKey(query), counted)
  if (ids !== null) caches.matchSets.set(query, matchSet(SortedIds.parse(ids), false, counted))
  return records === null ? undefined : { records, total: counted.total }
}

async function sortAllMatches(db: Db, query: CompanyQuery, maxMatches: number): Promise<Matches> {
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
    select total, ${moment}, case when total <= ${maxMatches} then (${asList(page)}) end as records,
      case when total > ${maxMatches} and total <= least(${companyCount} / 2, ${sql.lit(MAX_MATCH_SET_IDS)})
        then (select string_agg(match_id, '' order by match_id) from matching) end as ids
    from counted`.execute(db)
  return rows[0] as Matches
}
