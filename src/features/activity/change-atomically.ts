import { sql } from 'kysely'
import { type BatchedDb, BatchSize } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'
import { type Action, lockAction } from './action.ts'

/** What runs a change that is made to all of its records or to none. */
export interface AtomicChangeDb extends BatchedDb {
  /** For all batches but the first one, for which others need not wait. */
  longDb: Db
  /** Undoes what an action has changed before it failed. */
  revert(action_id: string): Promise<void>
}

/** A change to many records. */
interface ChangeOfMany {
  /** The most records that it changes. */
  most: number
  /**
   * Finds what to change, and locks it until the transaction ends.
   * @param rest the ids of a batch after the first one, of which some may be gone; without them, all are found and checked
   * @returns ids
   */
  find(transaction: Db, rest?: string[]): Promise<string[]>
  /** Makes and records the change of those that still exist. @returns the number of records that it changed */
  write(transaction: Db, ids: string[]): Promise<number>
}

/**
 * Changes all of the records or none: in one transaction, or in batches of one action where others would wait too long
 * for that. If a batch fails, or the process ends, the action is undone.
 * @returns the number of changed records
 * @throws Conflict if the action is undone while it runs
 */
export async function changeAtomically(
  { db, longDb, maxBatchMs, revert }: AtomicChangeDb,
  action: Action,
  { most, find, write }: ChangeOfMany,
): Promise<number> {
  const size = new BatchSize(most, maxBatchMs)
  let rest: string[] | undefined
  let changed = 0
  const changeBatch = async (transaction: Db) => {
    const limit = size.records
    const found = await find(transaction, rest?.slice(0, limit))
    const batch = found.slice(0, limit)
    const written = await size.measure(
      () => write(transaction, batch),
      (count) => count,
    )
    const left = (rest ?? found).slice(limit)
    if (rest) await requireInEffect(transaction, action)
    if (rest || left.length > 0) await recordProgress(transaction, action, left.length === 0)
    return { left, written }
  }
  do
    try {
      const batch = await (rest ? longDb : db).transaction().execute(changeBatch)
      rest = batch.left
      changed += batch.written
    } catch (error) {
      // What cannot be undone now is undone later.
      if (rest) await revert(action.id).catch(() => {})
      throw error
    }
  while (rest.length > 0)
  return changed
}

/** @throws Conflict if the action has been undone */
async function requireInEffect(transaction: Db, { id }: Action): Promise<void> {
  const { undone_by } = (await lockAction(transaction, id)) ?? {}
  if (undone_by) throw new Conflict(`The change was undone by ${undone_by} while it was running.`)
}

/** Whoever finds an action that has not advanced for long undoes it. */
async function recordProgress(transaction: Db, { id }: Action, isFinished: boolean): Promise<void> {
  await (isFinished
    ? sql`delete from unfinished_actions where action_id = ${id}`
    : sql`insert into unfinished_actions (action_id) values (${id})
        on conflict (action_id) do update set advanced_at = excluded.advanced_at`
  ).execute(transaction)
}
