import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { countUnread } from './read.ts'
import type { MarkedUntil, MarkResult } from './schema.ts'

const now = sql`date_trunc('milliseconds', clock_timestamp())`

/** What marking sets, and which notifications it changes. What is done was read. */
const MARKS = {
  read: { set: sql`read_at = ${now}`, where: sql`read_at is null` },
  unread: { set: sql`read_at = null`, where: sql`read_at is not null` },
  done: { set: sql`done_at = ${now}, read_at = coalesce(read_at, ${now})`, where: sql`done_at is null` },
  undone: { set: sql`done_at = null`, where: sql`done_at is not null` },
} as const
type Mark = keyof typeof MARKS

/**
 * Marks notifications of a user.
 * @throws InvalidInput for neither `ids` nor `before`, or both
 */
export const markNotifications = (
  db: Db,
  email: string,
  mark: Mark,
  marked: MarkedUntil,
): Promise<MarkResult> => {
  const isMeant = whichOf(marked)
  const { set, where } = MARKS[mark]
  return db.transaction().execute(async (transaction) => {
    // In one order, so that two requests do not wait for each other.
    const { numAffectedRows = 0n } = await sql`
      update notifications set ${set} where id in (
        select id from notifications where user_email = ${email} and ${isMeant} and ${where} order by id for update)`.execute(
      transaction,
    )
    return { changed: Number(numAffectedRows), unread: await countUnread(transaction, email) }
  })
}

function whichOf({ ids, before }: MarkedUntil): RawBuilder<unknown> {
  if ((ids === undefined) === (before === undefined))
    throw new InvalidInput('Send either ids, or before: the time up to which all are meant.')
  return ids ? sql`id = any(${ids})` : sql`at <= ${before}::timestamptz`
}
