import { sql } from 'kysely'
import type { ActionKind } from '#src/features/activity/index.ts'
import { kindOf, type RecordKind } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Forbidden, orNotFound } from '#src/platform/errors.ts'
import type { Authorize } from '#src/platform/identity/authorize.ts'
import type { User } from '#src/platform/identity/identity.ts'

/** An action, and if it is an undo, what it undid. */
export interface UndoneAction {
  /** Of the action at the end of a chain of undos. */
  kind: ActionKind
  /** The users of all actions of the chain. */
  owners: (string | null)[]
  /** The most records that one of them changed. */
  records: number
  /** The actions of the chain. */
  ids: string[]
}

/**
 * Reads an action with the chain of undos that it ends.
 * @throws NotFound if there is no such action
 */
export async function readUndone(db: Db, id: string): Promise<UndoneAction> {
  const { rows } = await sql<UndoneAction>`
    with recursive chain as (
      select id, kind, user_email, records, undoes from actions where id = ${id}
      union all
      select actions.id, actions.kind, actions.user_email, actions.records, actions.undoes
      from chain join actions on actions.id = chain.undoes)
    select (array_agg(kind order by id))[1] as kind, array_agg(user_email) as owners, max(records) as records,
      array_agg(id) as ids
    from chain having count(*) > 0`.execute(db)
  return orNotFound(rows[0], 'action', id)
}

/** Undoing these deletes records, or brings deleted ones back. */
const NEEDS_DELETE: ReadonlySet<ActionKind> = new Set(['delete', 'restore', 'merge'])

/**
 * Checks that a user may undo an action. An undo needs the permissions of what it does: an import that they may make, they may
 * also undo; any other action counts as a change of as many records. Users may delete and restore their own notes.
 * @returns whether the undo may also remove records that others have built on
 * @throws MissingPermission if the user lacks a permission that the undo needs
 */
export async function authorizeUndo(
  { authorize, db }: { authorize: Authorize; db: Db },
  kinds: readonly RecordKind[],
  user: User | null,
  { kind, owners, records, ids }: UndoneAction,
): Promise<boolean> {
  const isOwn = owners.every((owner) => owner === (user?.email ?? null))
  if (isOwn && kind === 'import') authorize(user, 'import')
  else authorize(user, 'write', { records })
  if (!isOwn || (NEEDS_DELETE.has(kind) && !(await changedOwnOnly(db, kinds, user, ids))))
    authorize(user, 'delete')
  try {
    authorize(user, 'delete')
    return true
  } catch (error) {
    if (error instanceof Forbidden) return false
    throw error
  }
}

/** Whether all records that actions have changed belong to the user. */
async function changedOwnOnly(
  db: Db,
  kinds: readonly RecordKind[],
  user: User | null,
  actions: readonly string[],
): Promise<boolean> {
  if (!user) return false
  const { rows } = await sql<{ ids: string[] }>`
    select array_agg(distinct entity_id) as ids from activity where action_id = any(${[...actions]})
    group by split_part(entity_id, '_', 1)`.execute(db)
  for (const { ids } of rows) {
    const kind = kindOf(kinds, ids[0] ?? '')
    const owners = await kind?.readOwners?.(db, ids, user)
    if (!owners?.every((owner) => owner === user.email)) return false
  }
  return rows.length > 0
}
