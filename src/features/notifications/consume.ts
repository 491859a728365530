import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type EventKind, isOfThisServer, isSince } from '#src/features/events/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isContention, isDatabaseDown, isOutOfResources, isTimeout } from '#src/platform/database/errors.ts'
import { snapshot } from '#src/platform/database/snapshot.ts'
import { ENDING_KINDS, EVENT_TYPES } from './recipients.ts'
import { tell } from './write.ts'

const MAX_BATCH = 1000
const KINDS: readonly EventKind[] = ['note', 'task', 'decision', 'deal', ...ENDING_KINDS]

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

const isTemporary = (error: unknown): boolean =>
  isDatabaseDown(error) || isContention(error) || isOutOfResources(error) || isTimeout(error)

/**
 * Where the reading stands: `since` is the snapshot of the database that everything has been read of. While the events up to
 * the snapshot `until` take several batches, `after` is the number of the last one that was read.
 */
interface Position {
  since: string
  until: string | undefined
  after: string
}

function parsePosition(text: string): Position {
  const [since = '', until, after = '0'] = text.split('|')
  return { since, until, after }
}

/** A lock is a write, and every write makes the work run again, so it looks before it locks. */
async function hasWork(db: Db): Promise<boolean> {
  const { rows } = await sql<{ position: string; now: string }>`
    select position, ${snapshot} as now from event_consumers where name = 'notifications'`.execute(db)
  const [consumer] = rows
  if (!consumer) return false
  const position = parsePosition(consumer.position)
  if (position.until !== undefined) return true
  return (await readSeqs(db, { ...position, until: consumer.now }, 1))?.length !== 0
}

/** @returns whether nothing is left to do, here and now */
async function consume(transaction: Db, size: number, tellBatch: Tell): Promise<boolean> {
  const locked = await sql<{ position: string; now: string }>`
    select position, ${snapshot} as now from event_consumers where name = 'notifications'
    for update skip locked`.execute(transaction)
  const [consumer] = locked.rows
  // Another process is at it.
  if (!consumer) return true
  const position = parsePosition(consumer.position)
  const { since, until = consumer.now } = position
  const seqs = await readSeqs(transaction, { ...position, until }, size)
  // Transactions of another server, whose database was restored here.
  if (seqs === undefined) return moveTo(transaction, consumer.now)
  const last = seqs.at(-1)
  if (last === undefined && position.until === undefined) return true
  if (last !== undefined) await tellBatch(transaction, seqs)
  if (seqs.length < size) return moveTo(transaction, until)
  await moveTo(transaction, [since, until, last].join('|'))
  return false
}

async function moveTo(transaction: Db, position: string): Promise<true> {
  await sql`update event_consumers set position = ${position} where name = 'notifications'`.execute(
    transaction,
  )
  return true
}

/** The numbers of the next events, in order; undefined: the position is one of another server. */
async function readSeqs(
  transaction: Db,
  { since, until, after }: { since: string; until: string; after: string },
  size: number,
): Promise<string[] | undefined> {
  const isMeant = sql`(type = any(${[...EVENT_TYPES]}) or kind = any(${[...ENDING_KINDS]}))`
  const { rows } = await sql<{ seqs: string[]; isOwn: boolean }>`
    with recent as materialized (
      select seq, xid from events where ${isSince(since, KINDS)} and ${isMeant})
    select ${isOfThisServer(since)} as "isOwn", array(
      select seq::text from recent where seq > ${after}::bigint and pg_visible_in_snapshot(xid, ${until}::pg_snapshot)
      order by recent.seq limit ${size}) as seqs`.execute(transaction)
  return rows[0]?.isOwn ? rows[0].seqs : undefined
}
