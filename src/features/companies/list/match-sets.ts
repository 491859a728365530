import { type RawBuilder, sql } from 'kysely'
import { customKey } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, jsonArray } from '#src/platform/database/sql.ts'
import { snapshot } from '#src/platform/database/transaction-log.ts'
import type { Operator } from '#src/platform/filter/schema.ts'
import { toSql } from '#src/platform/filter/to-sql.ts'
import type { Condition } from '#src/platform/filter/tree.ts'
import { companyFields } from '../store.ts'
import { CHANGE_LOG_LENGTH, changedSince, isLogged } from './change-log.ts'
import { countOf } from './count.ts'
import { companyConditions } from './filters.ts'
import { type Listing, type Selection, uncountedTree } from './selection.ts'
import { ID_LENGTH, SortedIds } from './sorted-ids.ts'
import { orderBy, sortingOf } from './sorting.ts'
import { version } from './version.ts'
import { VersionedCache } from './versioned-cache.ts'

const MAX_CACHED_BYTES = 96 * 1024 * 1024

/** The state of the database that a set belongs to. */
interface Snapshot {
  version: number
  snapshot: string
  /** The number of all companies. Only current if the set is inverted. */
  companies: number
}

/** The companies that match some filters at a moment. Never changes. */
export interface MatchSet extends Snapshot {
  /** The matches, or all other companies if those are fewer. */
  ids: SortedIds
  isInverted: boolean
  total: number
}

const matchSet = (ids: SortedIds, isInverted: boolean, at: Snapshot): MatchSet => ({
  version: at.version,
  snapshot: at.snapshot,
  companies: at.companies,
  ids,
  isInverted,
  total: isInverted ? at.companies - ids.size : ids.size,
})

/** Sets of matches by filters. They are brought up to date when they are used. */
export const createMatchSetCache = () =>
  new VersionedCache<MatchSet>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ ids }) => 1000 + ids.size * ID_LENGTH,
  })

const isMember = (filters: Selection, isInverted: boolean, lookup: 'index' | 'scan') =>
  isInverted
    ? sql`not coalesce(${all(companyConditions(filters, 'scan'))}, false)`
    : all(companyConditions(filters, lookup))

/** Reads all companies that match, or all others if a sample of the table says that those are fewer. */
export async function collectMatchSet(db: Db, filters: Selection): Promise<MatchSet> {
  const isBroad = filters.search !== undefined || uncountedTree(filters) !== undefined
  const isInverted = isBroad && (await estimateShare(db, filters)) > 0.5
  const fromIndexes = isInverted ? undefined : matchesFromIndexes(filters)
  const source = fromIndexes ?? sql`companies where ${isMember(filters, isInverted, 'index')}`
  const { rows } = await sql<Snapshot & { ids: string | null }>`
    select string_agg(id, '' order by id) as ids, ${version} as version, ${snapshot} as snapshot,
      ${countOf({})} as companies
    from ${source}`.execute(db)
  const collected = rows[0] as Snapshot & { ids: string | null }
  return matchSet(SortedIds.parse(collected.ids ?? ''), isInverted, collected)
}

/** The indexes of these fields also have the ids. */
const INDEXED = new Set([
  ...[
    'status',
    'country_code',
    'industry_category',
    'thesis_id',
    'updated_at',
    'llm_score_overall',
    'revenue_eur',
  ],
  ...['employee_count', 'founded_year'],
])

/** What the index of a custom field answers. It has no ids, so the companies are read, but no others. */
const CUSTOM_OPERATORS: readonly Operator[] = ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'between']

const isIndexed = (part: Condition): boolean =>
  'op' in part &&
  (INDEXED.has(part.field.name)
    ? !['contains', 'starts_with'].includes(part.op)
    : customKey(part.field.name) !== undefined && CUSTOM_OPERATORS.includes(part.op))

/** The ids that match `or` of indexed fields: several indexes are read faster than the companies themselves. */
function matchesFromIndexes({ tree, ...others }: Selection): RawBuilder<unknown> | undefined {
  if (!tree || !('or' in tree.condition) || companyConditions(others, 'index').length > 0) return undefined
  if (!tree.condition.or.every(isIndexed)) return undefined
  const parts = tree.condition.or.map((part) => sql`select companies.id from companies where ${toSql(part)}`)
  return sql`(${sql.join(parts, sql` union `)}) matching`
}

/** About what share of all companies matches, from one in a hundred pages of the table. */
async function estimateShare(db: Db, filters: Selection): Promise<number> {
  const { rows } = await sql<{ share: number | null }>`
    select avg(coalesce(${all(companyConditions(filters, 'scan'))}, false)::int)::float8 as share
    from companies tablesample system (1)`.execute(db)
  return rows[0]?.share ?? 0
}

interface Refreshed extends Snapshot {
  isComplete: boolean
  changed: string[]
  added: string[]
  pageIds: string[]
  records: Json
}

export interface RefreshedPage {
  /** undefined if too much has changed since the set was collected. */
  set: MatchSet | undefined
  version: number
  /** In any order. */
  pageIds: string[]
  records: Json
}

/**
 * Brings a set up to date and reads a page, both from one snapshot of the database.
 * @param page selects the page's ids. It may refer to the ids in `changed`, and those of them that the set has now in
 *   `added`.
 */
export async function refreshMatchSet(
  db: Db,
  query: Listing,
  set: MatchSet,
  page: RawBuilder<unknown>,
): Promise<RefreshedPage> {
  const records = sql`select ${companyFields} from companies
    where companies.id = any(array(select id from page)) ${orderBy(sortingOf(query))}`
  const { rows } = await sql<Refreshed>`
    with changed as materialized (
        select distinct id from (${changedSince(set.snapshot)}) logged limit ${CHANGE_LOG_LENGTH + 1}),
      added as materialized (
        select companies.id from companies where companies.id = any(array(select id from changed))
          and ${isMember(query, set.isInverted, 'scan')}),
      page as materialized (${page})
    select (${jsonArray(records)}) as records, ${version} as version, ${snapshot} as snapshot,
      ${set.isInverted ? countOf({}) : sql`${set.companies}::float8`} as companies,
      ${isLogged(set.snapshot)} and (select count(*) from changed) <= ${CHANGE_LOG_LENGTH} as "isComplete",
      array(select id from changed) as changed, array(select id from added) as added,
      array(select id from page) as "pageIds"`.execute(db)
  const refreshed = rows[0] as Refreshed
  const { isComplete, changed, added } = refreshed
  const ids = isComplete ? set.ids.with(added, difference(changed, added)) : undefined
  return {
    set: ids && matchSet(ids, set.isInverted, refreshed),
    version: refreshed.version,
    pageIds: refreshed.pageIds,
    records: refreshed.records,
  }
}

function difference(ids: string[], others: string[]): string[] {
  const excluded = new Set(others)
  return ids.filter((id) => !excluded.has(id))
}
