import { sql } from 'kysely'
import { entityName } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idTime } from '#src/platform/ids.ts'
import { type Fold, isScore } from './folds.ts'
import type { TimelineEntry } from './schema.ts'

interface NetChange {
  /** The place of the fold. */
  fold: number
  entity_name: string | null
  changes: TimelineEntry['changes']
}

/** The entries of folds, with the values before the first change and after the last one. */
export async function entriesOf(db: Db, folds: readonly Fold[]): Promise<TimelineEntry[]> {
  const net = await readNet(db, folds)
  return folds.map((fold, n) => {
    const { rows, id, at } = fold
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) throw new Error('A fold has changes.')
    const made = rows.map(({ id: activity, action_id }) => action_id ?? activity)
    const undos = rows.flatMap((row) => row.undos ?? [])
    const undone = rows.every((row) => (row.undos?.length ?? 0) % 2 === 1)
    const actions = new Set([...made, ...undos])
    return {
      id,
      kind: isScore(last) ? 'score' : last.entity_type === 'dealflow' ? 'deal' : 'change',
      at,
      user_email: last.user_email,
      title: titleOf(typeOf(fold), undone),
      via: last.via as TimelineEntry['via'],
      entity_type: last.entity_type as TimelineEntry['entity_type'],
      entity_id: last.entity_id,
      entity_name: net.get(n)?.entity_name ?? null,
      activity_type: typeOf(fold),
      changes: net.get(n)?.changes ?? null,
      count: actions.size,
      first_at: idTime(first.id).toISOString(),
      action_ids: [...actions].filter((action) => action.startsWith('ax_')).sort(),
      undone,
    }
  })
}

/** A change of the stage says more than others of the same time. */
const typeOf = ({ rows }: Fold): string =>
  rows.findLast(({ activity_type }) => !activity_type.endsWith('_updated'))?.activity_type ??
  rows.at(-1)?.activity_type ??
  ''

/** `dealflow_stage_changed` as `Deal stage changed`. */
const titleOf = (type: string, undone: boolean): string => {
  const words = type.replace(/^dealflow/, 'deal').replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${undone ? ', then undone' : ''}`
}

/** The values of each fold's fields, which PostgreSQL compares and shortens. */
async function readNet(db: Db, folds: readonly Fold[]): Promise<Map<number, NetChange>> {
  const members = folds.flatMap(({ rows }, fold) =>
    rows.map(({ id, entity_id, undos }) => ({ fold, id, entity_id, undos: undos ?? [] })),
  )
  const { rows } = await sql<NetChange>`
    with member as materialized (
      select fold, id, entity_id, undos from json_to_recordset(${JSON.stringify(members)}::json)
        as member(fold int, id text collate "C", entity_id text collate "C", undos json)),
    record as materialized (
      select fold, id from member
      union select fold, activity.id from member cross join lateral json_array_elements_text(undos) as undo(action_id)
        join activity on activity.action_id = undo.action_id and activity.entity_id = member.entity_id),
    value as (
      select fold, key, (array_agg(value -> 'from' order by activity.id))[1] as previous,
        (array_agg(value -> 'to' order by activity.id desc))[1] as present, count(*) as times
      from record join activity using (id), json_each(changes) as change where changes is not null group by fold, key),
    net as (
      select fold, json_object_agg(key, case
        when octet_length(previous::text) <= 2048 and octet_length(present::text) <= 2048
          then json_build_object('from', previous, 'to', present)
        else json_build_object('from', shorten_value(previous), 'to', shorten_value(present), 'truncated', true) end)
        filter (where times = 1 or previous::text is distinct from present::text) as changes,
        true as has_changes
      from value group by fold)
    select latest.fold, case when has_changes then coalesce(changes, '{}') end as changes, (
      select ${entityName} from activity where activity.id = latest.id) as entity_name
    from (select fold, max(id) as id from member group by fold) latest left join net on net.fold = latest.fold`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.fold, row]))
}
