import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { JsonPage } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { ListCaches } from './caches.ts'
import { idsFromNearestEnd, isCountedFromEnd } from './deep-pages.ts'
import { companyConditions, filterKey } from './filters.ts'
import { collectMatchSet, type MatchSet, type RefreshedPage, refreshMatchSet } from './match-sets.ts'
import type { Listing } from './selection.ts'
import { isAscending, isByCreation, orderBy, sortingOf } from './sorting.ts'

/** How often a page is read again because a change has moved it. */
const MAX_ATTEMPTS = 4
/** How many companies near a page may change while it is read. */
const MARGIN = 20
/** So few companies are looked up and sorted for each page. */
const SMALL_SET_ROWS = 10_000

/**
 * A page from the set of all matches, which is collected for the first request and then follows the change log.
 * @returns undefined if the set does not help with this sort order and offset, or changes faster than it is read
 */
export async function readFromMatchSet(
  db: Db,
  { matchSets }: ListCaches,
  query: Listing,
): Promise<JsonPage | undefined> {
  const key = filterKey(query)
  let minVersion = 0
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const set = await matchSets.get(key, minVersion, () => collectMatchSet(db, query))
    const plan = planPage(set, query)
    if (!plan) return undefined
    const page = await refreshMatchSet(db, query, set, plan.ids)
    minVersion = page.version
    if (!page.set) continue
    matchSets.set(key, page.set)
    if (plan.isValid(page.set, page)) return { records: page.records, total: page.set.total }
  }
  return undefined
}

interface Plan {
  /** Selects the ids of the page. */
  ids: RawBuilder<unknown>
  /** Whether these are still the right ones after the set was brought up to date. */
  isValid: (current: MatchSet, page: RefreshedPage) => boolean
}

function planPage(set: MatchSet, query: Listing): Plan | undefined {
  if (!set.isInverted && isByCreation(sortingOf(query))) return planFromIds(set, query)
  // Several sort fields have no index to scan.
  const isScanned = isScanFaster(set, query) && sortingOf(query).length === 1
  if (!set.isInverted && !isScanned && set.total <= SMALL_SET_ROWS) return planFromSmallSet(set, query)
  if (!set.isInverted && !isScanFaster(set, query)) return undefined
  return {
    ids: idsFromNearestEnd(companyConditions(query, 'scan'), query, set.total),
    isValid: ({ total }) => total === set.total || !isCountedFromEnd(query, set.total),
  }
}

/**
 * The page's ids and their neighbors come from the set. Changed companies join them, so that the page is also right if
 * new companies have moved it.
 */
function planFromIds(set: MatchSet, query: Listing): Plan {
  const { limit, offset } = pageOf(query)
  const before = Math.min(offset, MARGIN)
  const nearby = idsAt(set, query, offset - before, before + limit + MARGIN)
  return {
    ids: sql`select id from (
        select unnest(${nearby}::text[]) collate "C" as id except select id from changed union select id from added) nearby
      order by id ${isAscending(sortingOf(query)) ? sql`asc` : sql`desc`} limit ${limit} offset ${before}`,
    isValid: (current, { pageIds }) => idsAt(current, query, offset, limit).join() === pageIds.join(),
  }
}

/** Sorts all companies of the set. */
function planFromSmallSet(set: MatchSet, query: Listing): Plan {
  const { limit, offset } = pageOf(query)
  const ids = set.ids.slice(0, set.total)
  return {
    ids: sql`select companies.id from companies where companies.id = any(array(
        select unnest(${ids}::text[]) except select id from changed union select id from added))
      ${orderBy(sortingOf(query))} limit ${limit} offset ${offset}`,
    isValid: () => true,
  }
}

/** Ids in the order of the list. */
function idsAt({ ids }: MatchSet, query: Listing, offset: number, limit: number): string[] {
  if (isAscending(sortingOf(query))) return ids.slice(offset, offset + limit)
  const end = Math.max(0, ids.size - offset)
  return ids.slice(Math.max(0, end - limit), end).reverse()
}

/** A scan meets a match every `companies / total` rows, and needs `offset + limit` matches. */
function isScanFaster({ total, companies }: MatchSet, query: Listing): boolean {
  const { limit, offset } = pageOf(query)
  return total ** 2 > companies * (offset + limit)
}
