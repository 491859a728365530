import { sql } from 'kysely'
import type { Logger } from 'pino'
import { readEventRows } from '#src/features/events/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import {
  isContention,
  isDatabaseDown,
  isOutOfResources,
  isReadOnly,
  isTimeout,
} from '#src/platform/database/errors.ts'
import { ENDING_KINDS, EVENT_TYPES } from './recipients.ts'
import { tell } from './write.ts'

const MAX_BATCH = 1000

/** How a batch is told: `tell` of this slice, unless a test replaces it. */
type Tell = (transaction: Db, seqs: readonly string[]) => Promise<void>

/**
 * Turns the events since the last call into notifications. Any number of processes may call it: one at a time does the work.
 * Each batch is one transaction with its notifications and its position. An event that cannot be told is logged and skipped.
 * @param stopped ends it after the current batch
 */
export async function notify(
  db: Db,
  log: Logger,
  stopped: AbortSignal,
  tellBatch: Tell = tell,
): Promise<void> {
  let size = MAX_BATCH
  let isDone = false
  while (!isDone && !stopped.aborted)
    try {
      isDone =
        !(await hasWork(db)) ||
        (await db.transaction().execute((transaction) => consume(transaction, size, tellBatch)))
      size = Math.min(MAX_BATCH, size * 2)
    } catch (error) {
      if (isTemporary(error)) throw error
      // The batch is split, so that one event stops no other.
      if (size > 1) size = Math.ceil(size / 10)
      else {
        await db.transaction().execute((transaction) =>
          consume(transaction, 1, async (_transaction, seqs) => {
            log.error({ err: error, event: seqs[0] }, 'an event could not be turned into notifications')
          }),
        )
      }
    }
}

/** Whether the same may succeed later. */
export const isTemporary = (error: unknown): boolean =>
  isDatabaseDown(error) ||
  isContention(error) ||
  isOutOfResources(error) ||
  isReadOnly(error) ||
  isTimeout(error)

const isMeant = sql`(type = any(${[...EVENT_TYPES]}) or kind = any(${[...ENDING_KINDS]}))`

/** A lock is a write, and every write makes the work run again, so it looks before it locks. */
async function hasWork(db: Db): Promise<boolean> {
  const { rows } = await sql<{ position: string }>`
    select position from event_consumers where name = 'notifications'`.execute(db)
  const [consumer] = rows
  if (!consumer) return false
  const read = await readEventRows(db, consumer.position, 1)
  return read.rows.length > 0 || !read.isComplete
}

/** @returns whether nothing is left to do, here and now */
async function consume(transaction: Db, size: number, tellBatch: Tell): Promise<boolean> {
  const { rows: consumers } = await sql<{ position: string }>`
    select position from event_consumers where name = 'notifications' for update skip locked`.execute(
    transaction,
  )
  const [consumer] = consumers
  // Another process is at it.
  if (!consumer) return true
  const { rows, snapshot } = await readEventRows(transaction, consumer.position, size, [isMeant])
  if (rows.length > 0)
    await tellBatch(
      transaction,
      rows.map(({ seq }) => String(seq)),
    )
  await sql`update event_consumers set position = ${snapshot} where name = 'notifications'`.execute(
    transaction,
  )
  return rows.length < size
}
