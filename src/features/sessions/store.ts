import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { type JsonPage, readPage, utc } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import type { SessionEnd, SessionUse } from '#src/platform/identity/credential-use.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import './table.ts'

/**
 * A page of a user's valid sessions, newest first.
 * @param current the id of the session that asks
 * @param idleMs how long a session may be unused
 */
export function listSessions(
  db: Db,
  user_email: string,
  { current, idleMs, ...page }: PageRequest & { current: string | undefined; idleMs: number | undefined },
): Promise<JsonPage> {
  const where = [sql`user_email = ${user_email}`, sql`ended_at is null`, sql`expires_at > now()`]
  if (idleMs !== undefined) where.push(sql`last_seen_at > now() - ${idleMs} * interval '1 millisecond'`)
  const fields = sql`id, user_email, ${utc('created_at')}, ${utc('last_seen_at')}, ${utc('expires_at')},
    address, browser, id = ${current ?? ''} as current`
  return readPage(db, { table: 'sessions', fields, where }, page)
}

/**
 * The user of a session that is still valid.
 * @throws NotFound
 */
export async function readSessionOwner(db: Db, id: string): Promise<string> {
  const session = db.selectFrom('sessions').select('user_email').where('id', '=', id)
  const valid = session.where('ended_at', 'is', null).where('expires_at', '>', sql<Date>`now()`)
  return orNotFound(await valid.executeTakeFirst(), 'session', id).user_email
}

/** When a session was last used, in milliseconds since 1970; undefined if it has no record. */
export async function readLastSeen(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('sessions').select('last_seen_at').where('id', '=', id).executeTakeFirst()
  return row && new Date(row.last_seen_at).getTime()
}

/** The latest use of a session. `seen` is that of the latest one by its user, 0 if there is none. */
interface LatestUse extends Omit<SessionUse, 'isAutomatic'> {
  sent: number
}

function latestUses(uses: readonly SessionUse[]): LatestUse[] {
  const latest = new Map<string, LatestUse>()
  for (const { isAutomatic, seen: sent, ...use } of uses) {
    const seen = isAutomatic ? (latest.get(use.id)?.seen ?? 0) : sent
    latest.set(use.id, { ...use, sent, seen })
  }
  return [...latest.values()]
}

/**
 * Writes uses of sessions, and creates the records that are missing. Automatic ones change the address and the browser
 * too, which shows a copied cookie, but not when the session was last used. Uses may arrive in any order.
 */
export async function recordSessionUses(db: Db, uses: readonly SessionUse[]): Promise<void> {
  if (uses.length === 0) return
  const texts = { id: 'text', user_email: 'text', address: 'text', browser: 'text' } as const
  const times = { created: 'float8', expires: 'float8', sent: 'float8', seen: 'float8' } as const
  await sql`
    with uses as (select * from ${rowsFrom('uses', { ...texts, ...times }, latestUses(uses))}),
    added as (
      insert into sessions (id, user_email, created_at, expires_at, last_seen_at, address, browser)
      select id, user_email, to_timestamp(created), to_timestamp(expires),
        to_timestamp(greatest(created, seen / 1000)), address, browser from uses
      on conflict (id) do nothing)
    update sessions set last_seen_at = greatest(last_seen_at, to_timestamp(seen / 1000)),
      address = uses.address, browser = uses.browser
    from uses where sessions.id = uses.id and last_seen_at < to_timestamp(sent / 1000) and ended_at is null`.execute(
    db,
  )
}

/** Ends a session, also one whose record is missing. */
export async function endSession(db: Db, { id, user_email, created, expires }: SessionEnd): Promise<void> {
  await sql`
    insert into sessions (id, user_email, created_at, last_seen_at, expires_at, ended_at)
    values (${id}, ${user_email}, to_timestamp(${created}::float8), to_timestamp(${created}::float8),
      to_timestamp(${expires}::float8), clock_timestamp())
    on conflict (id) do update set ended_at = coalesce(sessions.ended_at, excluded.ended_at)`.execute(db)
}

/** Ends a session that has a record. Returns whether it had not ended yet. */
export async function endSessionById(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update sessions set ended_at = clock_timestamp() where id = ${id} and ended_at is null`.execute(db)
  return numAffectedRows > 0n
}

/** Ends all sessions of a user, or all but one. Returns their ids. */
export async function endSessionsOf(db: Db, user_email: string, except?: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update sessions set ended_at = clock_timestamp()
    where user_email = ${user_email} and ended_at is null and expires_at > now() and id <> ${except ?? ''}
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Clears everything personal in the records of a user's sessions, which must have ended. */
export async function clearSessionsOf(db: Db, user_email: string): Promise<void> {
  await sql`
    update sessions set address = null, browser = null where user_email = ${user_email}`.execute(db)
}

/** Deletes the records of sessions that expired more than a day ago. */
export async function deleteExpiredSessions(db: Db): Promise<void> {
  await sql`delete from sessions where expires_at < now() - interval '1 day'`.execute(db)
}
