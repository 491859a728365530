import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, type JsonPage, jsonArray, pageJson } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { companyFields } from '../store.ts'
import type { ListCaches } from './caches.ts'
import { countOf, totalAt } from './count.ts'
import { readCounted, readDeepPage } from './deep-pages.ts'
import { companyConditions, filterKey } from './filters.ts'
import { readFromMatchSet } from './matches.ts'
import { listMatches, listTagged } from './search.ts'
import { type Listing, readsOtherTables, uncountedTree } from './selection.ts'
import {
  isByCreation,
  isInIndexOrder,
  orderBy,
  pageIds,
  sortCacheKey,
  sortingOf,
  sortsByOtherTables,
} from './sorting.ts'
import { version } from './version.ts'

/** Beyond this offset, rows are skipped in the index alone. */
const DEEP_OFFSET = 1000
/** Skipping more rows than this takes longer than collecting the whole list once and keeping it. */
const MAX_SKIPPED_ROWS = 50_000
/** A page with more filters is not kept. */
const MAX_KEY_LENGTH = 2000
/** A longer list is not kept. */
const MAX_LIST_ROWS = 2_000_000

/**
 * A page of companies with its exact total, in the envelope of lists. A page that is requested repeatedly is sent from
 * memory unless a company has changed since (docs/adr/0026).
 */
export async function listCompanies(db: Db, caches: ListCaches, query: Listing): Promise<Json | Buffer> {
  const read = async () => pageJson(pageOf(query), await readCompanies(db, caches, query))
  if (readsOtherTables(query) || sortsByOtherTables(sortingOf(query))) return read()
  const key = pageKey(query)
  if (isFirstRequest(caches, key)) return read()
  const current = await caches.readPageVersion()
  const { body } = await caches.pages.get(key, current, async () => ({
    body: Buffer.from(await read()),
    version: current,
  }))
  return body
}

/** Most pages are requested once. They are not kept, and cost nothing more. */
function isFirstRequest({ requestedPages }: ListCaches, key: string): boolean {
  if (key.length > MAX_KEY_LENGTH) return true
  const isFirst = !requestedPages.has(key)
  requestedPages.set(key, true)
  return isFirst
}

function pageKey(query: Listing): string {
  const { limit, offset } = pageOf(query)
  return JSON.stringify([filterKey(query), sortCacheKey(sortingOf(query)), limit, offset])
}

/** Its total comes from counters or from a cache. */
async function readCompanies(db: Db, caches: ListCaches, query: Listing): Promise<JsonPage> {
  const { offset } = pageOf(query)
  const page = await readCached(db, caches, query)
  if (page) return page
  if (offset > DEEP_OFFSET) return readDeepPage(db, caches, query)
  const { records, version } = await readFirstPage(db, query)
  const { total } = await totalAt(db, caches, query, version)
  return { records, total }
}

/** Looks the ids up first where they come from several parts of an index. */
async function readFirstPage(db: Db, query: Listing): Promise<{ records: Json; version: number }> {
  const { limit, offset } = pageOf(query)
  const sorting = sortingOf(query)
  const conditions = companyConditions(query, 'scan')
  const page = isInIndexOrder(sorting)
    ? sql`select ${companyFields} from companies where ${all(conditions)} ${orderBy(sorting)} limit ${limit} offset ${offset}`
    : sql`select ${companyFields} from companies
        where companies.id = any(array(${pageIds(conditions, sorting, limit, offset)})) ${orderBy(sorting)}`
  const { rows } = await sql<{ records: Json; version: number }>`
    select (${jsonArray(page)}) as records, ${version} as version`.execute(db)
  return rows[0] as { records: Json; version: number }
}

/** A page of a list that no cache can follow, with its total. */
async function readOnce(db: Db, query: Listing): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const ids = pageIds(companyConditions(query, 'scan'), sortingOf(query), limit, offset)
  const { records, total } = await readCounted(db, query, ids, countOf(query))
  return { records, total }
}

async function readCached(db: Db, caches: ListCaches, query: Listing): Promise<JsonPage | undefined> {
  const { offset } = pageOf(query)
  if (readsOtherTables(query)) return readOnce(db, query)
  if (query.search || uncountedTree(query)) return listMatches(db, caches, query)
  const tagged = query.tags ? await listTagged(db, caches, query) : undefined
  if (tagged) return tagged
  if (offset <= DEEP_OFFSET || !isByCreation(sortingOf(query))) return undefined
  if (caches.matchSets.peek(filterKey(query))) return readFromMatchSet(db, caches, query)
  const { total } = await totalAt(db, caches, query, 0)
  const isFar = Math.min(offset, total - offset) > MAX_SKIPPED_ROWS && total <= MAX_LIST_ROWS
  return isFar ? readFromMatchSet(db, caches, query) : undefined
}
