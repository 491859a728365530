import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { countryName } from '#src/platform/schema/countries.ts'
import { type FacetCounts, type ListCaches, readVersion, version } from '../list/cache.ts'
import { countOf, tagCounts } from '../list/count.ts'
import {
  companyConditions,
  countedConditions,
  filterKey,
  uncountedConditions,
} from '../selection/conditions.ts'
import {
  COUNTED_COLUMNS,
  type CountedColumn,
  onlyField,
  readsOtherTables,
  type Selection,
  withoutField,
} from '../selection/selection.ts'
import { type CompanyFacets, MAX_FACET_VALUES } from './facets-schema.ts'

const SCORE = 'llm_score_overall'
const SCORE_BUCKETS = 10

interface ValueCount {
  value: string | null
  count: number
}

interface ScoreCount {
  bucket: number | null
  count: number
}

type Counts = Record<Exclude<CountedColumn, 'status'>, ValueCount[]> & {
  total: number
  status: { value: string; count: number }[]
  tags: ValueCount[]
  owner_email: ValueCount[]
  scores: ScoreCount[]
}

/** The facets of the companies that match the filters. The counts are cached until a company changes. */
export async function readFacets(
  db: Db,
  caches: ListCaches,
  filters: Selection,
): Promise<Omit<CompanyFacets, 'custom'>> {
  const count = () => countFacets(db, filters)
  const { facets } = readsOtherTables(filters)
    ? await count()
    : await caches.facets.get(filterKey(filters), await readVersion(db), count)
  const { scores, ...counts }: Counts = JSON.parse(facets)
  const theses = await readThesisNames(db, counts.thesis_id)
  return {
    ...counts,
    country_code: counts.country_code.map(({ value, count }) => ({
      value,
      name: value === null ? null : (countryName(value) ?? null),
      count,
    })),
    thesis_id: counts.thesis_id.map(({ value, count }) => ({
      value,
      ...(theses.get(value) ?? { code: null, title: null }),
      count,
    })),
    llm_score: scoreFacet(scores),
  }
}

function scoreFacet(scores: ScoreCount[]): CompanyFacets['llm_score'] {
  const counts = new Map(scores.map(({ bucket, count }) => [bucket, count]))
  return {
    unscored: counts.get(null) ?? 0,
    buckets: Array.from({ length: SCORE_BUCKETS }, (_value, n) => ({
      from: n * 10,
      to: n === SCORE_BUCKETS - 1 ? 100 : n * 10 + 9,
      count: counts.get(n) ?? 0,
    })),
  }
}

const bucket = sql`case llm_score_overall when 100 then 9 else llm_score_overall / 10 end`

/** Counts all facets in one statement, so they agree with each other. */
async function countFacets(db: Db, filters: Selection): Promise<FacetCounts> {
  const facetOf = (column: CountedColumn) =>
    sql`'${sql.raw(column)}', (${mostFrequent(sql`
      select ${sql.ref(column)} as value, n from counts where ${all(conditionsExcept(filters, column))}`)})`
  const { counts, scores } = sourcesOf(filters)
  const { rows } = await sql<FacetCounts>`
    with counts as materialized (${counts}), scores as (${scores})
    select json_build_object(
      'total', (select coalesce(sum(n), 0) from counts where ${all(conditionsExcept(filters))}),
      ${sql.join(COUNTED_COLUMNS.map(facetOf))},
      'tags', (${mostFrequent(tagFacet(filters))}),
      'owner_email', (${mostFrequent(ownerFacet(filters))}),
      'scores', (select coalesce(json_agg(scores), '[]') from scores))::text as facets,
      ${version} as version`.execute(db)
  return rows[0] as FacetCounts
}

/** The most frequent of `value, n` as JSON. */
const mostFrequent = (values: RawBuilder<unknown>) => sql`
  select coalesce(json_agg(facet), '[]') from (
    select value, sum(n) as count from (${values}) counted
    group by 1 having sum(n) > 0 order by count desc, value limit ${sql.lit(MAX_FACET_VALUES)}) facet`

/** A company counts for each of its tags. */
function tagFacet(filters: Selection): RawBuilder<unknown> {
  const conditions = companyConditions(withoutField(filters, 'tags'), 'index')
  return conditions.length === 0
    ? sql`select tag as value, n from ${tagCounts}`
    : sql`select tag as value, count(*) as n from companies left join lateral unnest(tags) tag on true
        where ${all(conditions)} group by 1`
}

/** Companies without an owner are the rest, so that only those with one are read. */
function ownerFacet(filters: Selection): RawBuilder<unknown> {
  const others = withoutField(filters, 'owner_email')
  const owned = sql`select owner_email as value, count(*) as n from companies
    where ${all([...companyConditions(others, 'index'), sql`owner_email is not null`])} group by 1`
  return sql`with owned as materialized (${owned}) select * from owned
    union all select null, ${countOf(others)} - (select coalesce(sum(n), 0) from owned)`
}

/** The conditions on `counts`, without that on one column. */
const conditionsExcept = (filters: Selection, column?: CountedColumn): RawBuilder<unknown>[] => [
  ...countedConditions(column ? withoutField(filters, column) : filters),
  sql`is_enough`,
]

interface Sources {
  /** The number of companies for each combination of the counted columns, and whether their scores pass the filters. */
  counts: RawBuilder<unknown>
  /** The number of companies in each bucket of scores. */
  scores: RawBuilder<unknown>
}

/** The counts that facets are sums of. */
const sourcesOf = (filters: Selection): Sources =>
  uncountedConditions(withoutField(filters, SCORE), 'index').length > 0
    ? sourcesFromMatches(filters)
    : sourcesFromCounters(filters)

const columns = sql`status, country_code, industry_category, thesis_id`

/** Reads the matches of a search once for everything. */
function sourcesFromMatches(filters: Selection): Sources {
  const isEnough = sql`coalesce(${all(scoreConditions(filters))}, false)`
  const where = [...uncountedConditions(withoutField(filters, SCORE), 'index'), ...allButOne(filters)]
  return {
    counts: sql`select ${columns}, ${bucket} as bucket, ${isEnough} as is_enough, count(*) as n from companies
      where ${all(where)} group by 1, 2, 3, 4, 5, 6`,
    scores: sql`select bucket, sum(n) as count from counts where ${all(countedConditions(filters))} group by 1`,
  }
}

/** Uses the counters where they suffice. Scores have no counters; counting them separately by their index is faster. */
function sourcesFromCounters(filters: Selection): Sources {
  const scored = scoreConditions(filters)
  const where = [...scored, ...allButOne(filters)]
  return {
    counts:
      scored.length === 0
        ? sql`select ${columns}, n, true as is_enough from company_counts
            union all select ${columns}, n, true from company_count_deltas`
        : sql`select ${columns}, count(*) as n, true as is_enough from companies where ${all(where)} group by 1, 2, 3, 4`,
    scores: sql`select ${bucket} as bucket, count(*) from companies where ${all(countedConditions(filters))} group by 1`,
  }
}

const scoreConditions = (filters: Selection): RawBuilder<unknown>[] =>
  uncountedConditions(onlyField(filters, SCORE), 'index')

/** Excludes companies that fail the conditions of two or more columns: no facet counts them. */
function allButOne(filters: Selection): RawBuilder<unknown>[] {
  const conditions = COUNTED_COLUMNS.map((column) => countedConditions(onlyField(filters, column)))
    .filter((ofColumn) => ofColumn.length > 0)
    .map((ofColumn) => sql`coalesce(${all(ofColumn)}, false)::int`)
  if (conditions.length < 2) return []
  return [sql`${sql.join(conditions, sql` + `)} >= ${sql.lit(conditions.length - 1)}`]
}

async function readThesisNames(
  db: Db,
  values: ValueCount[],
): Promise<Map<string | null, { code: string; title: string }>> {
  const ids = values.map(({ value }) => value).filter((id) => id !== null)
  const { rows } = await sql<{ id: string; code: string; title: string }>`
    select id, code, title from theses where id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, code, title }) => [id, { code, title }]))
}
