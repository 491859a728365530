import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, type JsonPage, jsonArray, pageJson } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { companyConditions, filterKey } from '../selection/conditions.ts'
import { isLookedUp } from '../selection/search-conditions.ts'
import { type Listing, readsOtherTables } from '../selection/selection.ts'
import { companyFields } from '../store.ts'
import { type ListCaches, type Total, version } from './cache.ts'
import { count, countOf, totalAt } from './count.ts'
import { isInIndexOrder, orderBy, pageIds, sortColumns, sortingOf } from './sorting.ts'

/** Beyond this offset, rows are skipped in the index alone. */
const DEEP_OFFSET = 1000
/** A list with more matches is walked in its order rather than collected and sorted. */
const MAX_COLLECTED = 5000

/** A page of companies with its exact total, in the envelope of lists. See README.md. */
export async function listCompanies(db: Db, caches: ListCaches, query: Listing): Promise<Json> {
  const read = readsOtherTables(query) ? walkAndCount(db, query) : readCompanies(db, caches, query)
  return pageJson(pageOf(query), await read)
}

async function readCompanies(db: Db, caches: ListCaches, query: Listing): Promise<JsonPage> {
  const key = filterKey(query)
  let collected: Collected | undefined
  const firstTotal = async () => {
    if (!isLookedUp(query)) return count(db, query)
    collected = await collect(db, query)
    return totalOf(collected)
  }
  // However old: it only decides how to read the page.
  const known = caches.totals.peek(key) ?? (await caches.totals.get(key, 0, firstTotal))
  if (!collected && (await isSelective(db, caches, query, known))) {
    collected = await collect(db, query)
    caches.totals.set(key, totalOf(collected))
  }
  if (collected?.records) return { records: collected.records, total: collected.total }
  const page = await walk(db, query)
  return { records: page.records, total: (await totalAt(db, caches, query, page.version)).total }
}

/**
 * Whether collecting all matches reads fewer rows than walking to the end of the page. A walk passes `companies / total`
 * rows per match.
 */
async function isSelective(
  db: Db,
  caches: ListCaches,
  query: Listing,
  { total, version }: Total,
): Promise<boolean> {
  if (total > MAX_COLLECTED) return false
  const { limit, offset } = pageOf(query)
  const companies = await totalAt(db, caches, {}, version)
  return total ** 2 <= companies.total * (offset + limit)
}

interface Collected extends Total {
  /** null if there are more than `MAX_COLLECTED` matches. */
  records: Json | null
}

const totalOf = ({ total, version }: Collected): Total => ({ total, version })

/** Collects all matches through the indexes of the filters, and sorts them. */
async function collect(db: Db, query: Listing): Promise<Collected> {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const { columns, order } = sortColumns(sorting, sql`match_id`)
  const page = sql`select ${companyFields} from
      (select * from matching ${order} limit ${limit} offset ${offset}) page
    join companies on companies.id = match_id ${orderBy(sorting)}`
  const { rows } = await sql<Collected>`
    with matching as materialized (
      select companies.id as match_id, ${columns} from companies
      where ${all(companyConditions(query, 'index'))}),
    counted as materialized (select count(*)::float8 as total from matching)
    select total, ${version} as version, case when total <= ${MAX_COLLECTED} then (${jsonArray(page)}) end as records
    from counted`.execute(db)
  return rows[0] as Collected
}

/** Reads the page in the order of the list. PostgreSQL chooses the index. */
async function walk(db: Db, query: Listing): Promise<{ records: Json; version: number }> {
  const { rows } = await sql<{ records: Json; version: number }>`
    select (${jsonArray(pageInOrder(query))}) as records, ${version} as version`.execute(db)
  return rows[0] as { records: Json; version: number }
}

/** Also counts: the version does not change when other tables do. */
async function walkAndCount(db: Db, query: Listing): Promise<JsonPage> {
  const { rows } = await sql<JsonPage>`
    select (${jsonArray(pageInOrder(query))}) as records, ${countOf(query)} as total`.execute(db)
  return rows[0] as JsonPage
}

/** Looks up the ids first if the order comes from several index ranges, or if the page is far from the start. */
function pageInOrder(query: Listing): RawBuilder<unknown> {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const conditions = companyConditions(query, 'scan')
  if (isInIndexOrder(sorting) && offset <= DEEP_OFFSET)
    return sql`select ${companyFields} from companies where ${all(conditions)} ${orderBy(sorting)}
      limit ${limit} offset ${offset}`
  return sql`select ${companyFields} from companies
    where companies.id = any(array(${pageIds(conditions, sorting, limit, offset)})) ${orderBy(sorting)}`
}
