import { type RawBuilder, sql } from 'kysely'
import type { CompanyFilters } from '#src/features/companies/schema.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { countryName } from '#src/platform/schema/countries.ts'
import { type CompanyFacets, MAX_VALUES } from './facets-schema.ts'
import { countedFilters, filterKey, otherFilters } from './filters.ts'
import { readVersion, version } from './list.ts'
import type { Distribution, ListMemory } from './memory.ts'

const BUCKETS = 10

/** The facets whose values the counters tell apart. */
const COUNTED = ['status', 'country_code', 'industry_category', 'thesis_id'] as const
type Counted = (typeof COUNTED)[number]

interface Value {
  value: string | null
  count: number
}

type Counts = Record<Exclude<Counted, 'status'>, Value[]> & {
  total: number
  status: { value: string; count: number }[]
  scores: { bucket: number | null; count: number }[]
}

/** How the companies that pass the filters are distributed; found once for all who ask while no company changes. */
export async function readFacets(db: Db, lists: ListMemory, filters: CompanyFilters): Promise<CompanyFacets> {
  const { facets } = await lists.distributions.at(filterKey(filters), await readVersion(db), () =>
    countFacets(db, filters),
  )
  const { scores, ...counts }: Counts = JSON.parse(facets)
  const theses = await readThesisNames(db, counts.thesis_id)
  const inBucket = new Map(scores.map(({ bucket, count }) => [bucket, count]))
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
    llm_score: {
      unscored: inBucket.get(null) ?? 0,
      buckets: Array.from({ length: BUCKETS }, (_value, n) => ({
        from: n * 10,
        to: n === BUCKETS - 1 ? 100 : n * 10 + 9,
        count: inBucket.get(n) ?? 0,
      })),
    },
  }
}

const bucket = sql`case llm_score_overall when 100 then 9 else llm_score_overall / 10 end`

/** All facets as of one moment. */
async function countFacets(db: Db, filters: CompanyFilters): Promise<Distribution> {
  const facetOf = (column: Counted) =>
    sql`'${sql.raw(column)}', (select coalesce(json_agg(facet), '[]') from (
      select ${sql.ref(column)} as value, sum(n) as count from counts where ${all(without(filters, column))}
      group by 1 having sum(n) > 0 order by count desc, value limit ${sql.lit(MAX_VALUES)}) facet)`
  const { counts, scores } = sourcesOf(filters)
  const { rows } = await sql<Distribution>`
    with counts as materialized (${counts}), scores as (${scores})
    select json_build_object(
      'total', (select coalesce(sum(n), 0) from counts where ${all(without(filters))}),
      ${sql.join(COUNTED.map(facetOf))},
      'scores', (select coalesce(json_agg(scores), '[]') from scores))::text as facets,
      ${version} as version`.execute(db)
  return rows[0] as Distribution
}

/** The conditions on `counts`, but that of one column. */
const without = (filters: CompanyFilters, column?: Counted): RawBuilder<unknown>[] => [
  ...countedFilters({ ...filters, ...(column && { [column]: undefined }) }),
  sql`is_enough`,
]

interface Sources {
  /** How many companies there are of each combination of the counted columns, and whether their score is enough. */
  counts: RawBuilder<unknown>
  /** How many there are in each bucket of scores. */
  scores: RawBuilder<unknown>
}

/**
 * What the facets are sums of: of the counters what these know. Matches of a search are read once for everything; without
 * a search, scores alone are quicker to count by their index.
 */
function sourcesOf(filters: CompanyFilters): Sources {
  const { min_score, ids, search } = filters
  const conditions = countedFilters(filters)
  const columns = sql`status, country_code, industry_category, thesis_id`
  if (ids || search) {
    const isEnough =
      min_score === undefined ? sql`true` : sql`coalesce(llm_score_overall >= ${min_score}, false)`
    const where = [...otherFilters({ ids, search }, 'index'), ...allButOne(conditions)]
    return {
      counts: sql`select ${columns}, ${bucket} as bucket, ${isEnough} as is_enough, count(*) as n from companies
        where ${all(where)} group by 1, 2, 3, 4, 5, 6`,
      scores: sql`select bucket, sum(n) as count from counts where ${all(conditions)} group by 1`,
    }
  }
  const where = [...otherFilters({ min_score }, 'index'), ...allButOne(conditions)]
  return {
    counts:
      min_score === undefined
        ? sql`select ${columns}, n, true as is_enough from company_counts
            union all select ${columns}, n, true from company_count_deltas`
        : sql`select ${columns}, count(*) as n, true as is_enough from companies where ${all(where)} group by 1, 2, 3, 4`,
    scores: sql`select ${bucket} as bucket, count(*) from companies where ${all(conditions)} group by 1`,
  }
}

/** Who fails two of the conditions is in no facet. */
function allButOne(conditions: RawBuilder<unknown>[]): RawBuilder<unknown>[] {
  if (conditions.length < 2) return []
  const passed = conditions.map((condition) => sql`coalesce(${condition}, false)::int`)
  return [sql`${sql.join(passed, sql` + `)} >= ${sql.lit(conditions.length - 1)}`]
}

async function readThesisNames(
  db: Db,
  values: Value[],
): Promise<Map<string | null, { code: string; title: string }>> {
  const ids = values.map(({ value }) => value).filter((id) => id !== null)
  const { rows } = await sql<{ id: string; code: string; title: string }>`
    select id, code, title from theses where id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, code, title }) => [id, { code, title }]))
}
