import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { CompanyFilters } from '#src/features/companies/schema.ts'
import { CHANGE_LOG_LENGTH } from '#src/platform/database/counters.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, asList, type Json } from '#src/platform/database/sql.ts'
import { companyConditions, filterKey, type Lookup } from './filters.ts'
import { SingleFlight } from './single-flight.ts'
import { ID_LENGTH, SortedIds } from './sorted-ids.ts'
import { changedSince, folded, version } from './version.ts'

const MAX_CACHED_BYTES = 96 * 1024 * 1024
/** A larger set is not cached. */
export const MAX_MATCH_SET_IDS = 1_000_000
/** After more changes than this, collecting the set again is faster. */
const MAX_CHANGES = 5000

export const companyCount = sql`(select coalesce(sum(n), 0) from
  (select n from company_counts union all select n from company_count_deltas) counts)::float8`

/** A moment in the history of the companies. */
export interface Moment {
  version: number
  folded: number
  /** The number of all companies, which is exact if the total is counted from it. */
  companies: number
}

const momentWith = (companies: RawBuilder<unknown>) =>
  sql`${version} as version, ${folded} as folded, ${companies} as companies`
export const moment = momentWith(companyCount)

/** The companies that match some filters at a moment. Never changes. */
export interface MatchSet extends Moment {
  /** The matches, or all other companies if those are fewer. */
  ids: SortedIds
  isInverted: boolean
  total: number
}

export const matchSet = (
  ids: SortedIds,
  isInverted: boolean,
  { version, folded, companies }: Moment,
): MatchSet => ({
  ids,
  isInverted,
  total: isInverted ? companies - ids.size : ids.size,
  version,
  folded,
  companies,
})

/** Sets of matches by filters. */
export class MatchSetCache {
  readonly #sets = new LRUCache<string, MatchSet>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ ids }) => 1000 + ids.size * ID_LENGTH,
  })
  readonly #singleFlight = new SingleFlight<MatchSet>()

  get(filters: CompanyFilters): MatchSet | undefined {
    return this.#sets.get(filterKey(filters))
  }

  /** Stores a set, unless a newer one is cached. */
  set(filters: CompanyFilters, set: MatchSet): void {
    const key = filterKey(filters)
    if ((this.#sets.peek(key)?.version ?? -1) <= set.version) this.#sets.set(key, set)
  }

  delete(filters: CompanyFilters): void {
    this.#sets.delete(filterKey(filters))
  }

  /** Collects and caches a set. Concurrent callers share the work. */
  async collect(filters: CompanyFilters, task: () => Promise<MatchSet>): Promise<MatchSet> {
    const set = await this.#singleFlight.run(filterKey(filters), async () => 0, task)
    this.set(filters, set)
    return set
  }
}

interface CollectedIds extends Moment {
  ids: string | null
}

/** Reads the companies that match, or with `isInverted` those that do not. */
export async function collectMatchSet(
  db: Db,
  filters: CompanyFilters,
  isInverted: boolean,
  lookup: Lookup = 'index',
): Promise<MatchSet> {
  const conditions = all(companyConditions(filters, isInverted ? 'scan' : lookup))
  const { rows } = await sql<CollectedIds>`
    select string_agg(id, '' order by id) as ids, ${moment} from companies
    where ${isInverted ? sql`not coalesce(${conditions}, false)` : conditions}`.execute(db)
  const { ids, ...at } = rows[0] as CollectedIds
  return matchSet(SortedIds.parse(ids ?? ''), isInverted, at)
}

interface Changes extends Moment {
  records: Json | null
  added: string[]
  removed: string[]
}

/**
 * Reads a page, and brings a set up to date with it: both are of the same moment.
 * @returns undefined if too much has changed since the set was collected
 */
export async function refreshMatchSet(
  db: Db,
  filters: CompanyFilters,
  set: MatchSet,
  page: RawBuilder<unknown> | undefined,
): Promise<{ set: MatchSet; records: Json } | undefined> {
  const isMember = set.isInverted ? sql`not is_match` : sql`is_match`
  const { rows } = await sql<Changes & { changes: number }>`
    with changed as materialized (
      select distinct id from (${changedSince(set.folded)}) logged
      where ${version} <> ${set.version} limit ${sql.lit(MAX_CHANGES + 1)}),
    checked as materialized (
      select changed.id, coalesce(${isMember}, false) as is_member from changed left join lateral (
        select coalesce(${all(companyConditions(filters, 'scan'))}, false) as is_match
        from companies where companies.id = changed.id limit 1) company on true)
    select ${page ? sql`(${asList(page)})` : sql`'[]'`} as records,
      ${momentWith(set.isInverted ? companyCount : sql`${set.companies}::float8`)},
      (select count(*) from changed)::int as changes,
      array(select id from checked where is_member) as added,
      array(select id from checked where not is_member) as removed`.execute(db)
  const { records, added, removed, changes, ...at } = rows[0] as Changes & { changes: number }
  if (changes > MAX_CHANGES || at.folded - set.folded > CHANGE_LOG_LENGTH) return undefined
  return { set: matchSet(set.ids.with(added, removed), set.isInverted, at), records: records as Json }
}
