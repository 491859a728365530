import { type RawBuilder, sql } from 'kysely'
import type { CompanyQuery } from '#src/features/companies/schema.ts'
import { companyFields } from '#src/features/companies/store.ts'
import { CHANGE_LOG_LENGTH } from '#src/platform/database/counters.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, asList, type Json, type JsonPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ListCaches } from './caches.ts'
import { companyConditions, countedConditions, filterKey, uncountedConditions } from './filters.ts'
import { refreshMatchSet } from './match-sets.ts'
import type { Position, Progress } from './positions.ts'
import { orderBy, reversed, sortingOf } from './sorting.ts'
import type { Total } from './totals.ts'
import { changedSince, folded, readVersion, version } from './version.ts'

/** Beyond this offset, rows are skipped in the index alone, starting at the nearest known position. */
export const DEEP_OFFSET = 1000
/** How often a deep page is read again because companies changed during the read. */
const MAX_DEEP_ATTEMPTS = 3

/**
 * A page far from the start, counted from the nearest of the start, the end and a known position. The statement itself
 * reads totals that have counters; others are counted before it, and the page is read again if they have changed.
 */
export async function readDeepPage(db: Db, caches: ListCaches, query: CompanyQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const hasCounters = uncountedConditions(query, 'scan').length === 0
  for (let attempt = 0; attempt < MAX_DEEP_ATTEMPTS; attempt++) {
    const expected = await totalAt(db, caches, query, hasCounters ? 0 : await readVersion(db))
    const total = hasCounters ? countedTotal(query) : sql`${expected.total}`
    const start = nearestStart(caches, query, expected.total)
    const page = await readCounted(db, caches, query, { total, page: pageFrom(start, query) })
    caches.totals.set(filterKey(query), page)
    if (!hasCounters && page.version !== expected.version) continue
    if (noteProgress(caches, query, page, start)) return { records: page.records, total: page.total }
  }
  const fromStart = sql`${orderBy(sortingOf(query))} limit ${limit} offset ${offset}`
  const { records, version } = await readPage(
    db,
    deepPage(companyConditions(query, 'scan'), fromStart, query),
  )
  return { records, total: (await totalAt(db, caches, query, version)).total }
}

interface CountedPage extends Total, Progress {
  records: Json
}

/** Reads a page that refers to the list's total as `(select total from counted)`. */
async function readCounted(
  db: Db,
  { positions }: ListCaches,
  query: CompanyQuery,
  { total, page }: { total: RawBuilder<unknown>; page: RawBuilder<unknown> },
): Promise<CountedPage> {
  const checkedAt = positions.checkedAt(filterKey(query)) ?? Number.MAX_SAFE_INTEGER
  const { rows } = await sql<CountedPage>`
    with counted as materialized (select (${total})::bigint as total)
    select (${asList(page)}) as records, (select total from counted)::float8 as total, ${version} as version,
      ${folded} as folded, (select min(id) from (${changedSince(checkedAt)}) changed) as "oldestChange"`.execute(
    db,
  )
  return rows[0] as CountedPage
}

type Start = 'start' | 'end' | Position

function nearestStart({ positions }: ListCaches, query: CompanyQuery, total: number): Start {
  const { offset } = pageOf(query)
  const { field, descending } = sortingOf(query)
  const rank = descending ? total - 1 - offset : offset
  const position =
    field === 'created_at'
      ? positions.nearest(filterKey(query), rank, descending ? 'above' : 'below')
      : undefined
  if (position && Math.abs(position.rank - rank) < Math.min(offset, total - offset)) return position
  return total - offset < offset ? 'end' : 'start'
}

function pageFrom(start: Start, query: CompanyQuery): RawBuilder<unknown> {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const conditions = companyConditions(query, 'scan')
  const remaining = sql`(select total from counted) - ${offset}::bigint`
  if (start === 'start')
    return deepPage(conditions, sql`${orderBy(sorting)} limit ${limit} offset ${offset}`, query)
  if (start === 'end')
    return deepPage(
      conditions,
      sql`${orderBy(reversed(sorting))} limit greatest(0, least(${limit}::bigint, ${remaining}))
        offset greatest(0, ${remaining} - ${limit}::bigint)`,
      query,
    )
  const skipped = sorting.descending
    ? sql`${start.rank}::bigint + 1 - (${remaining})`
    : sql`${offset}::bigint - ${start.rank}::bigint`
  return deepPage(
    [...conditions, sql`companies.id ${sorting.descending ? sql`<=` : sql`>=`} ${start.id}`],
    sql`${orderBy(sorting)} limit ${limit} offset greatest(0, ${skipped})`,
    query,
  )
}

/** Updates the known positions. Returns false if the position that the page was counted from was no longer valid. */
function noteProgress(
  { positions }: ListCaches,
  query: CompanyQuery,
  page: CountedPage,
  start: Start,
): boolean {
  const { offset } = pageOf(query)
  const { field, descending } = sortingOf(query)
  const key = filterKey(query)
  const checkedAt = positions.checkedAt(key) ?? page.folded
  if (page.folded - checkedAt > CHANGE_LOG_LENGTH) {
    positions.delete(key)
    return typeof start === 'string'
  }
  const rank = descending ? page.total - 1 - offset : offset
  const isCurrent = positions.check(key, page)
  if (typeof start !== 'string') {
    const isPassed = descending ? start.rank < rank : start.rank > rank
    if (isPassed || (page.oldestChange !== null && page.oldestChange <= start.id)) return false
  }
  const firstId = /^\[\{"id":"(\w+)"/.exec(page.records)?.[1]
  if (isCurrent && firstId && field === 'created_at') positions.add(key, { rank, id: firstId })
  return true
}

/** Looks the page up by an array of ids: PostgreSQL cannot tell how few they are and would join the whole table. */
const deepPage = (conditions: RawBuilder<unknown>[], ids: RawBuilder<unknown>, query: CompanyQuery) =>
  sql`select ${companyFields} from companies where companies.id = any(array(
      select companies.id from companies where ${all(conditions)} ${ids}))
    ${orderBy(sortingOf(query))}`

/** The exact total of a list at this version or a later one. */
export const totalAt = (db: Db, caches: ListCaches, query: CompanyQuery, version: number): Promise<Total> =>
  caches.totals.get(
    filterKey(query),
    version,
    async () => (await refreshTotal(db, caches, query)) ?? countCompanies(db, query),
  )

async function refreshTotal(
  db: Db,
  { matchSets }: ListCaches,
  query: CompanyQuery,
): Promise<Total | undefined> {
  const cached = matchSets.get(query)
  const refreshed = cached && (await refreshMatchSet(db, query, cached, undefined))
  if (refreshed) matchSets.set(query, refreshed.set)
  return refreshed?.set
}

const COUNTED = sql`status, country_code, industry_category, thesis_id, n`

const countedTotal = (query: CompanyQuery) =>
  sql`select coalesce(sum(n), 0) from
    (select ${COUNTED} from company_counts union all select ${COUNTED} from company_count_deltas) counts
    where ${all(countedConditions(query))}`

async function countCompanies(db: Db, query: CompanyQuery): Promise<Total> {
  const counted = countedConditions(query)
  const uncounted = uncountedConditions(query, 'index')
  const total =
    uncounted.length > 0
      ? sql`select count(*) from companies where ${all([...counted, ...uncounted])}`
      : countedTotal(query)
  const { rows } = await sql<Total>`select (${total})::float8 as total, ${version} as version`.execute(db)
  return rows[0] as Total
}

export async function readPage(
  db: Db,
  page: RawBuilder<unknown>,
): Promise<{ records: Json; version: number }> {
  const { rows } = await sql<{ records: Json; version: number }>`
    select (${asList(page)}) as records, ${version} as version`.execute(db)
  return rows[0] as { records: Json; version: number }
}
