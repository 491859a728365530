import { sql } from 'kysely'
import { sourceNameOf } from '#src/features/deals/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, jsonArray } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { SourceStatsQuery } from './source-schema.ts'

/** Counts deals by source and year. */
export async function readSourceStats(db: Db, { year, ...query }: SourceStatsQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const start = (of: number) => sql`make_timestamptz(${of}::int, 1, 1, 0, 0, 0, 'UTC')`
  const isInYear = year ? sql`created_at >= ${start(year)} and created_at < ${start(year + 1)}` : sql`true`
  const page = sql`
    select year, source_type, source_id, ${sourceNameOf(sql`source_type`, sql`source_id`)} as source_name,
      deals, meetings, wins, amount_won_eur
    from sources order by deals desc, year desc, source_type nulls last, source_id limit ${limit} offset ${offset}`
  const { rows } = await sql<JsonPage>`
    with configured as (
        select stage ->> 'key' as key, stage ->> 'outcome' as outcome, place
        from deal_stage_config, json_array_elements(stages) with ordinality as stages(stage, place)),
      first_meeting as (
        select min(place) as place from configured
        where outcome is null and key ~ '(^|_)meetings?(_|$)'),
      meeting_stages as (
        select key from configured, first_meeting
        where configured.place >= first_meeting.place and outcome is distinct from 'lost'),
      moved as (
        select distinct entity_id as id from activity
        where activity_type = 'dealflow_stage_changed' and via is distinct from 'undo'
          and coalesce(action_id, '') not in (select id from actions where undone_by is not null)
          and (metadata ->> 'from' in (select key from meeting_stages)
            or metadata ->> 'to' in (select key from meeting_stages))),
      counted as (
        select extract(year from created_at at time zone 'UTC')::int as year, source_type, source_id, amount_eur,
          stage in (select key from meeting_stages) or id in (select id from moved) as has_met,
          status = 'won' or coalesce(outcome = 'won', false) and status <> 'lost' as is_won
        from dealflow left join configured on key = stage where ${isInYear}),
      sources as (
        select year, source_type, source_id, count(*)::int as deals,
          case when (select place from first_meeting) is not null
            then (count(*) filter (where has_met))::int end as meetings,
          (count(*) filter (where is_won))::int as wins,
          round(coalesce(sum(amount_eur) filter (where is_won), 0)::numeric, 2) as amount_won_eur
        from counted group by year, source_type, source_id)
    select (${jsonArray(page)}) as records, (select count(*) from sources)::float8 as total`.execute(db)
  return rows[0] as JsonPage
}
