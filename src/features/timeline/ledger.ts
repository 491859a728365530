import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { idTime } from '#src/platform/ids.ts'
import { type Cursor, dayStart, isBefore } from './cursor.ts'
import { type Fold, foldDays, type LedgerRow } from './folds.ts'

/** Whose activity a timeline shows. */
export interface Scope {
  column: 'company_id' | 'entity_id'
  /** The record, and those that were merged into it. */
  ids: readonly string[]
  conditions: RawBuilder<unknown>[]
}

/** The actions that undid a change, and undid that, as far as they changed the record. */
const undos = sql`(
  with recursive chain(id) as (
    select undo.id from actions undo where undo.undoes = actions.id
    union all select undo.id from chain join actions undo on undo.undoes = chain.id)
  select array_agg(chain.id order by chain.id) from chain
  where exists (select from activity where activity.action_id = chain.id and activity.entity_id = ledger.entity_id))`

/** Whether the first action of such a chain changed the record. */
const undoesChange = sql`exists (
  with recursive origin(id, undoes) as (
    select actions.id, actions.undoes
    union all select undone.id, undone.undoes from origin join actions undone on undone.id = origin.undoes)
  select from origin join activity on activity.action_id = origin.id and activity.entity_id = ledger.entity_id
  where origin.undoes is null)`

async function readRows(
  db: Db,
  { column, ids, conditions }: Scope,
  bounds: RawBuilder<unknown>[],
  limit: number | null,
): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select ledger.id, activity_type, entity_type, entity_id, ledger.user_email, via, action_id, actions.kind as action_kind,
      case when actions.undoes is not null then ${undoesChange} else false end as is_undo,
      ${undos} as undos
    from (
      select picked.* from unnest(${ids}::text[]) as part(id) cross join lateral (
        select id, activity_type, entity_type, entity_id, user_email, via, action_id from activity
        where ${all([sql`${sql.ref(column)} = part.id`, ...conditions, ...bounds])} order by id desc limit ${limit}) picked
      order by picked.id desc limit ${limit}) ledger
      left join actions on actions.id = ledger.action_id
    order by ledger.id desc`.execute(db)
  return rows
}

const dayOf = ({ id }: LedgerRow) => dayStart(idTime(id))

/** Records that are read at once, at least. */
const MIN_WINDOW = 200

/**
 * The folds after a place, newest first, and the latest activity. Reads whole days, backwards, until there are enough.
 */
export async function readFolds(
  db: Db,
  scope: Scope,
  cursor: Cursor | undefined,
  limit: number,
): Promise<{ folds: Fold[]; top: string }> {
  let below = cursor ? sql`id < ${dayStart(cursor.at, 1)} and id <= ${cursor.top}` : sql`true`
  let { top } = cursor ?? { top: undefined }
  const folds: Fold[] = []
  for (let window = Math.max(MIN_WINDOW, 2 * limit); ; window *= 2) {
    const rows = await readRows(db, scope, [below], window)
    top ??= rows[0]?.id ?? ''
    const isLast = rows.length < window
    const [newest, oldest] = [rows[0], rows.at(-1)]
    if (!newest || !oldest) break
    const start = dayOf(oldest)
    const restOfDay = [sql`id < ${oldest.id}`, sql`id >= ${start}`]
    const whole = isLast
      ? rows
      : dayOf(newest) === start
        ? [...rows, ...(await readRows(db, scope, restOfDay, null))]
        : rows.filter((row) => dayOf(row) !== start)
    folds.push(...foldDays(whole).filter((fold) => isBefore(fold, cursor)))
    if (isLast || folds.length >= limit) break
    below = sql`id < ${dayOf(whole.at(-1) ?? oldest)}`
  }
  return { folds: folds.slice(0, limit), top: top ?? '' }
}
