import { sql } from 'kysely'
import {
  type Action,
  type Actor,
  countHidden,
  insertAction,
  lockAction,
  newAction,
} from '#src/features/activity/index.ts'
import { isActive } from '#src/features/bulk-actions/index.ts'
import type { RecordKind } from '#src/features/trash/index.ts'
import { findHidden } from '#src/features/visibility/index.ts'
import { type BatchedDb, BatchSize } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import { contentionRetries } from '#src/platform/database/errors.ts'
import { Conflict, orNotFound } from '#src/platform/errors.ts'
import { siblingId } from '#src/platform/ids.ts'
import { MAX_SKIPPED, type Skipped, type Undone } from './schema.ts'
import { nextRecords, readRecorded, undoRecords } from './undo-records.ts'

/** Records per transaction. */
export const MAX_BATCH_SIZE = 1000

/** What undos run on. */
export interface UndoParts extends BatchedDb {
  /** What an undo goes through, in this order: a record comes after those that it refers to. */
  kinds: readonly RecordKind[]
}

export interface UndoState {
  id: string
  action_id: string
  user_email: string | null
  /** Whether it may remove records that others have built on. */
  may_delete: boolean
  /** The index of the kind of records. */
  phase: number
  last_id: string
  reverted: number
  skipped: Skipped[]
  skipped_omitted: number
  finished_at: Date | null
}

/** Who undoes an action. */
export interface Undoer {
  user: Actor
  mayDelete: boolean
}

/**
 * Undoes an action. Without the permission to delete, created records stay that others have built on.
 * @param request_key the request's Idempotency-Key; a repeated request continues the same undo
 * @throws NotFound if there is no such action, Conflict if it cannot be undone
 */
export async function undoAction(
  parts: UndoParts,
  { user, mayDelete }: Undoer,
  id: string,
  request_key: string | undefined,
): Promise<Undone> {
  const undo: Action = { ...newAction('undo', user, 'undo'), undoes: id }
  const started = await parts.db
    .transaction()
    .execute((transaction) =>
      startUndo(transaction, parts.kinds, undo, id, { request_key: request_key ?? null, mayDelete }),
    )
  return continueUndo(parts, started)
}

/**
 * Returns the id of the undo: the same one for a request that is repeated with its key.
 * @throws NotFound if there is no such action, Conflict if it cannot be undone
 */
export async function startUndo(
  transaction: Db,
  kinds: readonly RecordKind[],
  undo: Action,
  id: string,
  { request_key, mayDelete }: { request_key: string | null; mayDelete: boolean },
): Promise<string> {
  const user_email = undo.user?.email ?? null
  orNotFound(await lockAction(transaction, id), 'action', id)
  const { rows } = await sql<{ id: string }>`
    select id from undos where action_id = ${id} and request_key = ${request_key}
      and user_email is not distinct from ${user_email}`.execute(transaction)
  if (rows[0]) return rows[0].id
  await requireUndoable(transaction, kinds, id)
  await insertAction(undo, 0).execute(transaction)
  await sql`update actions set undone_by = ${undo.id} where id = ${id}`.execute(transaction)
  await sql`
    insert into undos (id, action_id, user_email, request_key, may_delete)
    values (${undo.id}, ${id}, ${user_email}, ${request_key}, ${mayDelete})`.execute(transaction)
  return undo.id
}

/** @throws NotFound if there is no such action, Conflict if it cannot be undone */
export async function requireUndoable(
  transaction: Db,
  kinds: readonly RecordKind[],
  id: string,
): Promise<void> {
  const { kind, undone_by } = orNotFound(await lockAction(transaction, id), 'action', id)
  if (undone_by)
    throw new Conflict(
      `The action has been undone by ${undone_by}. POST /api/actions/${undone_by}/undo undoes that.`,
    )
  if (kind === 'purge') throw new Conflict('A purge cannot be undone: its records are gone.')
  if (kind === 'bulk_action' && (await isActive(transaction, siblingId('ba', id))))
    throw new Conflict(`The bulk action ${siblingId('ba', id)} is still running. Cancel it first.`)
  if (kind === 'merge' || kind === 'undo')
    for (const one of kinds) await one.requireUndoable?.(transaction, id)
  if (kind === 'undo') {
    const { rows } = await sql`select from undos where id = ${id} and finished_at is null`.execute(
      transaction,
    )
    if (rows.length > 0) throw new Conflict('The undo is still running. Try again when it has finished.')
  }
}

/** Runs an undo to its end, from where it was interrupted. Several processes may do so at a time. */
export async function continueUndo({ db, maxBatchMs, kinds }: UndoParts, id: string): Promise<Undone> {
  const size = new BatchSize(MAX_BATCH_SIZE, maxBatchMs)
  for (;;) {
    const state = await contentionRetries.execute(() =>
      db.transaction().execute((transaction) => advance(transaction, kinds, id, size)),
    )
    if (state.finished_at) return { action_id: id, ...(await visibleResult(db, state)) }
  }
}

/**
 * What an undo did, as the user who undoes may see it: an undo also changes records that are hidden from them.
 * @param db after the undo, or its transaction
 */
export async function visibleResult(
  db: Db,
  { id, user_email, reverted, skipped, skipped_omitted }: UndoState,
): Promise<Omit<Undone, 'action_id'>> {
  const viewer = user_email === null ? null : { email: user_email }
  const ids = skipped.map(({ entity_id }) => entity_id)
  const hidden = await findHidden(db, viewer, ids)
  return {
    reverted: Math.max(reverted - (await countHidden(db, viewer, id)), 0),
    skipped: skipped.filter(({ entity_id }) => !hidden.has(entity_id)),
    skipped_omitted,
  }
}

/** How many records a batch has changed back. */
export const undoneSince =
  (before: UndoState) =>
  (after: UndoState): number =>
    after.reverted - before.reverted

/** Undoes the next batch of records in one transaction, and stores how far it is. */
async function advance(
  transaction: Db,
  kinds: readonly RecordKind[],
  id: string,
  size: BatchSize,
): Promise<UndoState> {
  const { rows } = await sql<UndoState>`
    select id, action_id, user_email, may_delete, phase, last_id, reverted, skipped, skipped_omitted, finished_at
    from undos where id = ${id} for update`.execute(transaction)
  const state = rows[0] as UndoState
  if (state.finished_at) return state
  const user = state.user_email === null ? null : { email: state.user_email }
  const undo: Action = { id, kind: 'undo', via: 'undo', user }
  const next = await size.measure(
    () => undoBatch(transaction, kinds, undo, state, size.records),
    undoneSince(state),
  )
  await sql`
    update undos set phase = ${next.phase}, last_id = ${next.last_id}, reverted = ${next.reverted},
      skipped = ${JSON.stringify(next.skipped)}::json, skipped_omitted = ${next.skipped_omitted},
      advanced_at = clock_timestamp(), finished_at = ${next.finished_at} where id = ${id}`.execute(
    transaction,
  )
  if (next.finished_at) await finishUndo(transaction, next)
  return next
}

/** An undo that reverted nothing has no effect: the action can be undone later. */
async function finishUndo(transaction: Db, { action_id, reverted }: UndoState): Promise<void> {
  if (reverted > 0) return markUndoneActions(transaction, action_id)
  await sql`update actions set undone_by = null where id = ${action_id}`.execute(transaction)
}

/**
 * Undoing an undo puts the action that it undid into effect again. If that is an undo too, the action that it undid is
 * undone again, and so on.
 * @param undone the action that has just been undone
 */
async function markUndoneActions(transaction: Db, undone: string): Promise<void> {
  let undo: string | undefined = undone
  for (let isInEffect = false; undo !== undefined; isInEffect = !isInEffect) {
    const [before, after]: [string | null, string | null] = isInEffect ? [null, undo] : [undo, null]
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      update actions set undone_by = ${after}
      where id = (select undoes from actions undo where undo.id = ${undo}) and undone_by is not distinct from ${before}
      returning id`.execute(transaction)
    undo = rows[0]?.id
  }
}

export async function undoBatch(
  transaction: Db,
  kinds: readonly RecordKind[],
  undo: Action,
  state: UndoState,
  limit: number,
): Promise<UndoState> {
  const kind = kinds[state.phase]
  if (!kind) return { ...state, finished_at: new Date() }
  const ids = await nextRecords(transaction, state.action_id, kind.prefix, state.last_id, limit)
  if (ids.length === 0) return { ...state, phase: state.phase + 1, last_id: '' }
  const recorded = await readRecorded(transaction, state.action_id, ids)
  const creation = state.may_delete ? undefined : state
  const { reverted, skipped } = await undoRecords(transaction, undo, kind, { recorded, creation })
  const listed = [...state.skipped, ...skipped].slice(0, MAX_SKIPPED)
  return {
    ...state,
    last_id: ids.at(-1) as string,
    reverted: state.reverted + reverted.size,
    skipped: listed,
    skipped_omitted: state.skipped_omitted + state.skipped.length + skipped.length - listed.length,
  }
}
