import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import type { ActionKind, Via } from './action-schema.ts'

/** The user who made the change; null: unknown. */
export type Actor = { email: string } | null

/** What one request, import, bulk action or undo does. Its activity records share its id. */
export interface Action {
  id: string
  kind: ActionKind
  via: Via
  user: Actor
  /** The action that this one undoes. */
  undoes?: string
}

/** The action of a request. */
export const newAction = (kind: ActionKind, user: Actor, via: Via = 'request'): Action => ({
  id: newId('ax'),
  kind,
  via,
  user,
})

/** The row of an action that has changed this many records. */
export const actionRow = ({ id, kind, user, undoes }: Action, records: number) => ({
  id,
  kind,
  user_email: user?.email ?? null,
  created_at: idTime(id).toISOString(),
  records,
  undoes: undoes ?? null,
})

/**
 * The SQL that stores actions, given as a JSON array of `actionRow`s, or adds records to them. Returns the actions that have
 * undone them. More results of a bulk action can be undone again.
 */
export const insertActionRows = (json: unknown): RawBuilder<{ undone_by: string | null }> =>
  sql`insert into actions as stored (id, kind, user_email, created_at, records, undoes)
    select * from json_to_recordset(${json}::json) as row
    (id text, kind text, user_email text, created_at timestamptz, records int, undoes text)
    on conflict (id) do update set records = stored.records + excluded.records,
      undone_by = case when excluded.kind = 'bulk_action' then null else stored.undone_by end
    returning undone_by`

/** `insertActionRows` of one action. */
export const insertAction = (action: Action, records: number) =>
  insertActionRows(JSON.stringify([actionRow(action, records)]))

/** The action, locked until the transaction ends; undefined if there is none. */
export const lockAction = (transaction: Db, id: string) =>
  transaction.selectFrom('actions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
