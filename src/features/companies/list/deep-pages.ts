import { type RawBuilder, sql } from 'kysely'
import type { CompanyQuery } from '#src/features/companies/schema.ts'
import { companyFields } from '#src/features/companies/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, asList, type Json, type JsonPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ListCaches } from './caches.ts'
import { companyConditions, countedConditions, filterKey, uncountedConditions } from './filters.ts'
import { refreshMatchSet } from './match-sets.ts'
import { orderBy, reversed, sortingOf } from './sorting.ts'
import type { Total } from './totals.ts'
import { readVersion, version } from './version.ts'

/** Beyond this offset, rows are skipped in the index alone, starting at the nearest known position. */
export const DEEP_OFFSET = 1000
/** How often a deep page is read again because companies changed during the read. */
const MAX_DEEP_ATTEMPTS = 3

/** A page far from the start, counted from the nearest of the start, the end and a known position. */
export async function readDeepPage(db: Db, caches: ListCaches, query: CompanyQuery): Promise<JsonPage> {
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

async function countCompanies(db: Db, query: CompanyQuery): Promise<Total> {
  const counted = countedConditions(query)
  const uncounted = uncountedConditions(query, 'index')
  const total =
    uncounted.length > 0
      ? sql`select count(*) from companies where ${all([...counted, ...uncounted])}`
      : sql`select coalesce(sum(n), 0) from
          (select ${COUNTED} from company_counts union all select ${COUNTED} from company_count_deltas) counts where ${all(counted)}`
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
