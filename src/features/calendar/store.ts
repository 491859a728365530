import { sql } from 'kysely'
import { aboutOf } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { utc } from '#src/platform/database/sql.ts'
import { CALENDAR_DAYS_BACK, type CalendarFeed, MAX_CALENDAR_ENTRIES } from './schema.ts'

const NONE: CalendarFeed = { url: null, created_at: null, last_read_at: null }

/** A user's address as the API shows it. */
export async function readCalendar(db: Db, email: string): Promise<CalendarFeed> {
  const { rows } = await sql<Omit<CalendarFeed, 'url'>>`
    select ${utc('created_at')}, ${utc('last_read_at')} from calendar_feeds where user_email = ${email}`.execute(
    db,
  )
  return { ...NONE, ...rows[0] }
}

/** Stores the hash of a user's new token in place of the previous one. */
export async function replaceToken(transaction: Db, email: string, token_hash: string): Promise<void> {
  await sql`
    insert into calendar_feeds (user_email, token_hash, created_at)
    values (${email}, ${token_hash}, date_trunc('milliseconds', now()))
    on conflict (user_email) do update
      set token_hash = excluded.token_hash, created_at = excluded.created_at, last_read_at = null`.execute(
    transaction,
  )
}

/** Revokes a user's address. @returns whether there was one */
export async function revokeCalendarOf(transaction: Db, email: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from calendar_feeds where user_email = ${email}`.execute(
    transaction,
  )
  return numAffectedRows > 0n
}

/** The user whose token has this hash. */
export async function findOwner(db: Db, token_hash: string): Promise<string | undefined> {
  const { rows } = await sql<{ user_email: string }>`
    select user_email from calendar_feeds where token_hash = ${token_hash}`.execute(db)
  return rows[0]?.user_email
}

/** Writes that an address was read, at most once a minute. */
export async function recordReading(db: Db, token_hash: string): Promise<void> {
  await sql`
    update calendar_feeds set last_read_at = date_trunc('milliseconds', now())
    where token_hash = ${token_hash}
      and (last_read_at is null or last_read_at < now() - interval '1 minute')`.execute(db)
}

/** An entry of a calendar: on a day, or at a time. */
export interface CalendarEntry {
  kind: 'task' | 'revisit'
  /** Of the task or the company. */
  id: string
  title: string
  on_day: string | null
  at_time: Date | null
  /** The names of what a task is about. */
  about: { name: string }[]
  changed_at: Date
}

/** The entries of a user's calendar, earliest first. */
export async function readEntries(db: Db, email: string): Promise<CalendarEntry[]> {
  const first = sql`current_date - ${sql.lit(CALENDAR_DAYS_BACK)}`
  const time = sql`coalesce(on_day::timestamp at time zone 'UTC', at_time)`
  const { rows } = await sql<CalendarEntry>`
    select kind, id, title, on_day::text, at_time, changed_at,
      case when kind = 'task' then ${aboutOf(sql`entry.id`)} else '[]' end as about
    from (select * from (
      select 'task' as kind, tasks.id, title, task_dues.due_on as on_day, task_dues.due_at as at_time,
        updated_at as changed_at
      from tasks join task_dues on task_dues.id = tasks.id
      where assignee_email = ${email} and done_at is null
        and (task_dues.due_on >= ${first} or task_dues.due_at >= ${first})
      union all
      select 'revisit', companies.id, name, companies.revisit_on, null, updated_at
      from companies left join lateral (
        select author_email from decisions
        where decisions.company_id = companies.id and outcome is not null
        order by decided_at desc, decisions.id desc limit 1) latest on true
      where companies.revisit_on >= ${first} and (owner_email = ${email} or author_email = ${email})) entries
      order by ${time}, id limit ${sql.lit(MAX_CALENDAR_ENTRIES)}) entry
    order by ${time}, id`.execute(db)
  return rows
}
