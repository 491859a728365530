import { sql } from 'kysely'
import type { CompanyQuery } from '#src/features/companies/schema.ts'
import { companyFields } from '#src/features/companies/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type JsonPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ListCaches } from './caches.ts'
import { DEEP_OFFSET, readDeepPage, readPage, totalAt } from './deep-pages.ts'
import { companyConditions } from './filters.ts'
import { listMatches } from './search.ts'
import { orderBy, sortingOf } from './sorting.ts'

/** A page of companies with its exact total, which comes from counters or from the cache. */
export async function listCompanies(db: Db, caches: ListCaches, query: CompanyQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const matches = query.search ? await listMatches(db, caches, query) : undefined
  if (matches) return matches
  if (offset > DEEP_OFFSET) return readDeepPage(db, caches, query)
  const { records, ...page } = await readPage(
    db,
    sql`select ${companyFields} from companies where ${all(companyConditions(query, 'scan'))}
      ${orderBy(sortingOf(query))} limit ${limit} offset ${offset}`,
  )
  const { total } = await totalAt(db, caches, query, page.version)
  return { records, total }
}
