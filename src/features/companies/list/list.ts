import { sql } from 'kysely'
import type { CompanyQuery } from '#src/features/companies/schema.ts'
import { companyFields } from '#src/features/companies/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, asList, type Json, type JsonPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ListCaches } from './caches.ts'
import { totalAt } from './count.ts'
import { readDeepPage } from './deep-pages.ts'
import { companyConditions, filterKey } from './filters.ts'
import { readFromMatchSet } from './matches.ts'
import { listMatches } from './search.ts'
import { orderBy, sortingOf } from './sorting.ts'
import { version } from './version.ts'

/** Beyond this offset, rows are skipped in the index alone. */
const DEEP_OFFSET = 1000
/** Skipping more rows than this takes longer than collecting the whole list once and keeping it. */
const MAX_SKIPPED_ROWS = 50_000
/** A longer list is not kept. */
const MAX_LIST_ROWS = 2_000_000

/** A page of companies with its exact total, which comes from counters or from a cache. */
export async function listCompanies(db: Db, caches: ListCaches, query: CompanyQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const page = await readCached(db, caches, query)
  if (page) return page
  if (offset > DEEP_OFFSET) return readDeepPage(db, caches, query)
  const { rows } = await sql<{ records: Json; version: number }>`
    select (${asList(sql`select ${companyFields} from companies where ${all(companyConditions(query, 'scan'))}
      ${orderBy(sortingOf(query))} limit ${limit} offset ${offset}`)}) as records, ${version} as version`.execute(
    db,
  )
  const { records, ...read } = rows[0] as { records: Json; version: number }
  const { total } = await totalAt(db, caches, query, read.version)
  return { records, total }
}

async function readCached(db: Db, caches: ListCaches, query: CompanyQuery): Promise<JsonPage | undefined> {
  const { offset } = pageOf(query)
  if (query.search) return listMatches(db, caches, query)
  if (offset <= DEEP_OFFSET || sortingOf(query).field !== 'created_at') return undefined
  if (caches.matchSets.peek(filterKey(query))) return readFromMatchSet(db, caches, query)
  const { total } = await totalAt(db, caches, query, 0)
  const isFar = Math.min(offset, total - offset) > MAX_SKIPPED_ROWS && total <= MAX_LIST_ROWS
  return isFar ? readFromMatchSet(db, caches, query) : undefined
}
