import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { firstIdAt } from '#src/platform/ids.ts'
import { PIPELINE_DAYS, type PipelineStats } from './pipeline-schema.ts'

const DAY_MS = 24 * 60 * 60_000

type Totals = Omit<PipelineStats, 'week'> & PipelineStats['week'] & { weighted_before_eur: number }

/** The fields of a deal that decide how much it counts, with their SQL types. */
const FIELDS = { stage: 'text', status: 'text', probability: 'int', amount_eur: 'float8' } as const

const now = sql.raw(Object.keys(FIELDS).join(', '))

/** Each field as it was: the oldest value that a change since then has replaced, else the present one. */
const before = sql.join(
  Object.entries(FIELDS).map(
    ([field, type]) =>
      sql`case when replaced ? ${sql.lit(field)} then (replaced ->> ${sql.lit(field)})::${sql.raw(type)}
        else ${sql.ref(`deals.${field}`)} end as ${sql.ref(field)}`,
  ),
)

/** The deals at one time, with what they count. */
const counted = (deals: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select id, amount_eur, coalesce(probability, default_probability) as probability,
    status = 'active' and outcome is null as is_open,
    status = 'won' or coalesce(outcome = 'won', false) and status <> 'lost' as is_won,
    status = 'lost' or coalesce(outcome = 'lost', false) and status <> 'won' as is_lost
  from (${deals}) deals left join configured on key = stage`

const weighted = sql`round(coalesce(
  sum(amount_eur::numeric * probability) filter (where is_open), 0) / 100, 2)::float8`

/**
 * The weighted pipeline now and a week ago, by the ledger. Reads the deals, and the activity of that week.
 * @param at the present time
 */
export async function readPipelineStats(db: Db, at = new Date()): Promise<PipelineStats> {
  const since = new Date(at.getTime() - PIPELINE_DAYS * DAY_MS)
  // Activity may be stored a little before or after its own time.
  const firstActivity = firstIdAt('act', new Date(since.getTime() - DAY_MS))
  const { rows } = await sql<Totals>`
    with configured as (
        select key, default_probability, outcome from deal_stage_config,
          json_to_recordset(stages) as stage(key text, default_probability int, outcome text)),
      recent as materialized (
        select id, entity_id, "timestamp", activity_type, changes from activity
        where entity_type = 'dealflow' and id >= ${firstActivity} and "timestamp" > ${since}),
      replaced as (
        select entity_id, jsonb_object_agg(key, value) as replaced from (
          select distinct on (entity_id, key) entity_id, key, (value -> 'from')::jsonb as value
          from recent, json_each(changes) as change
          where changes is not null and key in (${sql.join(Object.keys(FIELDS).map((field) => sql.lit(field)))})
          order by entity_id, key, "timestamp", id) oldest
        group by entity_id),
      trashed as (
        select distinct on (entity_id) entity_id, activity_type = 'dealflow_deleted' as was_live from recent
        where activity_type in ('dealflow_deleted', 'dealflow_restored')
        order by entity_id, "timestamp", id),
      deals as (
        select id, ${now}, true as is_live from dealflow
        union all
        select record.id, ${now}, false from trash, json_populate_record(null::dealflow, content -> 'record') record
        where trash.entity_type = 'dealflow' and deleted_at > ${since}),
      now as (${counted(sql`select id, ${now} from deals where is_live`)}),
      before as (${counted(sql`
        select deals.id, ${before} from deals
          left join replaced on replaced.entity_id = deals.id left join trashed on trashed.entity_id = deals.id
        where coalesce(was_live, is_live) and deals.id < ${firstIdAt('df', since)}`)})
    select ${weighted} as weighted_eur,
      (select ${weighted} from before) as weighted_before_eur,
      (count(*) filter (where now.is_open))::int as deals,
      (count(*) filter (where now.is_open and amount_eur is null))::int as without_amount,
      (count(*) filter (where now.is_open and amount_eur is not null and probability is null))::int
        as without_probability,
      (count(*) filter (where now.is_open and was_open is not true))::int as entered,
      (count(*) filter (where now.is_won and was_won is not true))::int as won,
      (count(*) filter (where now.is_lost and was_lost is not true))::int as lost
    from now left join (select id, is_open as was_open, is_won as was_won, is_lost as was_lost from before) before
      on before.id = now.id`.execute(db)
  const { weighted_before_eur, entered, won, lost, ...totals } = rows[0] as Totals
  // In cents, because the difference of two fractions is not exact.
  const change_eur = Math.round((totals.weighted_eur - weighted_before_eur) * 100) / 100
  return { ...totals, week: { weighted_eur: weighted_before_eur, change_eur, entered, won, lost } }
}
