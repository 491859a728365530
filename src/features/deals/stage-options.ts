import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** The label of a stage that is not configured: `due_diligence` is "Due diligence". */
export const labelOf = (stage: string) =>
  (stage.charAt(0).toUpperCase() + stage.slice(1)).replaceAll('_', ' ')

/** The stages that a deal can be filtered by: the configured ones in board order, then others that deals are still in. */
export async function readStageOptions(db: Db): Promise<{ id: string; label: string }[]> {
  const { rows } = await sql<{ id: string; label: string | null }>`
    with recursive configured as (
      select stage ->> 'key' as id, stage ->> 'label' as label, place
      from deal_stage_config, json_array_elements(stages) with ordinality as stages(stage, place)),
      -- One look into the index for each stage, instead of reading all deals.
      used as (
        select min(stage) as stage from dealflow
        union all
        select (select min(stage) from dealflow where dealflow.stage > used.stage) from used where stage is not null)
    select id, label from (
      select * from configured
      union all
      select stage, null, null from used where stage not in (select id from configured)
    ) stages order by place nulls last, id collate "C"`.execute(db)
  return rows.map(({ id, label }) => ({ id, label: label ?? labelOf(id) }))
}
