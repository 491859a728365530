import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { firstIdAt } from '#src/platform/ids.ts'
import { STATS_WEEKS, type Stats, type WeekStats } from './schema.ts'

/** The totals. Companies are counted by their counters, so the query stays fast with a million of them. */
export async function readStats(db: Db): Promise<Stats> {
  const { rows } = await sql<Stats>`
    select coalesce(sum(n), 0)::int as companies_total,
      coalesce(sum(n) filter (where status = 'active'), 0)::int as companies_active,
      (select count(*)::int from dealflow where status = 'active') as dealflow_active,
      (select count(*)::int from theses where status = 'active') as theses_active
    from (select status, n from company_counts union all select status, n from company_count_deltas) counts
  `.execute(db)
  return rows[0] as Stats
}

const DAY_MS = 24 * 60 * 60_000

/** The starts of the weeks up to the current one, and of the next one. */
function weekStarts(now: Date): Date[] {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const monday = midnight - ((now.getUTCDay() + 6) % 7) * DAY_MS
  return Array.from(
    { length: STATS_WEEKS + 1 },
    (_value, week) => new Date(monday + (week - STATS_WEEKS + 1) * 7 * DAY_MS),
  )
}

/** New companies and deals by week. Ids begin with the time of creation, so their index alone is read. */
export async function readWeeklyStats(db: Db, now = new Date()): Promise<WeekStats[]> {
  const starts = weekStarts(now)
  const weeks = starts.slice(0, -1).map((start, week) => {
    const end = starts[week + 1] as Date
    const countOf = (table: 'companies' | 'dealflow', prefix: 'cmp' | 'df') => sql`
      (select count(*)::int from ${sql.table(table)}
        where id >= ${firstIdAt(prefix, start)} and id < ${firstIdAt(prefix, end)})`
    return sql`select ${start.toISOString().slice(0, 10)}::text as "from",
      ${countOf('companies', 'cmp')} as companies, ${countOf('dealflow', 'df')} as deals`
  })
  const { rows } = await sql<WeekStats>`${sql.join(weeks, sql` union all `)}`.execute(db)
  return rows
}
