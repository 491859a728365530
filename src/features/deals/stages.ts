import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { requireUnchanged } from '#src/features/activity/index.ts'
import { foldLabel } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, jsonArray, timeAfter, utc } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import { isStuck, readDealFields } from './fields.ts'
import type { Deal } from './schema.ts'
import { labelOf } from './stage-options.ts'
import type { DealStages, StageConfig, StageConfigBody, StagesQuery } from './stage-schema.ts'
import { dealConditions, dealFields } from './store.ts'

type Totals = Omit<DealStages[number], 'label' | 'outcome' | 'default_probability' | 'records'>

const byLikelihood = sql`order by probability desc nulls last, id desc`

/**
 * Counts the deals in each stage: configured stages in board order, then others by name.
 * @throws InvalidInput for a wrong filter
 */
export async function readStages(
  db: Db,
  caller: FilterCaller,
  { limit = 0, ...query }: StagesQuery,
): Promise<DealStages> {
  const where = await dealConditions(await readDealFields(db), caller, query)
  const first = sql`
    select ${dealFields} from dealflow where id in (
      select id from (select id, row_number() over (partition by stage ${byLikelihood}) as number from matching) ranked
      where number <= ${limit})
    ${byLikelihood}`
  const { rows } = await sql<{ stages: StageConfig['stages']; totals: Totals[] | null; first: Json }>`
    with config as (select stages from deal_stage_config),
      defaults as (
        select key, default_probability, outcome
        from config, json_to_recordset(stages) as stage(key text, default_probability int, outcome text)),
      matching as (select id, stage, status, probability, amount_eur, ${isStuck} as is_stuck
        from dealflow where ${all(where)}),
      totals as (
        select stage, count(*) as deals, round(coalesce(sum(coalesce(probability, default_probability)) filter (where is_open), 0) / 100.0, 1) as expected,
          round(coalesce(sum(amount_eur), 0)::numeric, 2) as amount_eur,
          round(coalesce(sum(amount_eur * coalesce(probability, default_probability)) filter (where is_open), 0)::numeric
            / 100, 2) as weighted_eur,
          count(*) filter (where is_stuck) as stuck
        from matching left join defaults on key = stage
          cross join lateral (select outcome is null and status not in ('won', 'lost') as is_open) open
        group by stage)
    select stages, (select json_agg(totals order by stage collate "C") from totals) as totals,
      (${limit === 0 ? sql`select '[]'` : jsonArray(first)}) as first from config`.execute(db)
  const { stages, totals, first: records } = rows[0] as (typeof rows)[number]
  const counted = new Map((totals ?? []).map((of) => [of.stage, of]))
  const deals = Map.groupBy(JSON.parse(records) as Deal[], ({ stage }) => stage)
  const others = [...counted.keys()].filter((stage) => !stages.some(({ key }) => key === stage))
  return [...stages, ...others.map((key) => ({ key }))].map(({ key, ...stage }) => ({
    ...emptyStage(key),
    ...stage,
    ...counted.get(key),
    records: deals.get(key) ?? [],
  }))
}

const emptyStage = (stage: string): DealStages[number] => ({
  stage,
  label: labelOf(stage),
  outcome: null,
  default_probability: null,
  deals: 0,
  expected: 0,
  amount_eur: 0,
  weighted_eur: 0,
  stuck: 0,
  records: [],
})

const fields = sql`stages, ${utc('updated_at')}, updated_by`

export async function readStageConfig(db: Db): Promise<StageConfig> {
  const { rows } = await sql<StageConfig>`select ${fields} from deal_stage_config`.execute(db)
  return rows[0] as StageConfig
}

/**
 * Replaces the configured stages.
 * @param ifMatch the If-Match header; one of its times must be the time of the last change
 * @throws InvalidInput for two stages with the same key or label, PreconditionFailed if the stages have changed since
 */
export async function replaceStageConfig(
  db: Db,
  user: { email: string } | null,
  { stages }: StageConfigBody,
  ifMatch?: string,
): Promise<StageConfig> {
  const keys = stages.map(({ key }) => key)
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index)
  if (duplicate) throw new InvalidInput(`Stage keys must be unique; ${duplicate} appears twice in stages.`)
  requireDistinctLabels(stages)
  const stored = stages.map(({ key, label, default_probability = null, outcome = null }) => ({
    key,
    label: label.trim(),
    default_probability,
    outcome,
  }))
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<StageConfig>`select ${fields} from deal_stage_config for update`.execute(
      transaction,
    )
    const before = rows[0] as StageConfig
    await requireUnchanged(transaction, ifMatch, 'list of stages', { id: 'stages', ...before })
    if (isDeepStrictEqual(stored, before.stages)) return before
    await sql`
      update deal_stage_config set stages = ${JSON.stringify(stored)}::json,
        updated_at = ${timeAfter(before.updated_at)}::timestamptz, updated_by = ${user?.email ?? null}`.execute(
      transaction,
    )
    return readStageConfig(transaction)
  })
}

/** @throws InvalidInput if two labels differ at most in case and outer spaces */
function requireDistinctLabels(stages: StageConfigBody['stages']): void {
  const labels = stages.map(({ label }) => foldLabel(label))
  for (const [index, label] of labels.entries()) {
    const first = labels.indexOf(label)
    if (first < index)
      throw new InvalidInput(
        `stages[${index}].label must be unique: stages[${first}] already has the label ${shown(stages[first]?.label)}.`,
      )
  }
}
