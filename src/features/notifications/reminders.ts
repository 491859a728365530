import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { idsOf, newId } from '#src/platform/ids.ts'
import { isTemporary } from './consume.ts'
import { DEFAULT_DIGEST_HOUR } from './schema.ts'

const BATCH_SIZE = 500
/** What has been due for longer reminds no one: an upgrade or an outage must not flood the inbox. */
const MAX_AGE = sql`interval '7 days'`

/** Reminds people of their tasks. */
export interface Reminders {
  db: Db
  log: Logger
  /** Of those who have not chosen one. */
  timeZone: string
}

/**
 * Reminds people of tasks that are due, and once more of those that are overdue. Any number of processes may call it at the
 * same time. A task that cannot be read is logged and stops no other.
 * @param now the time, which tests choose
 */
export async function remind(
  { db, log, timeZone }: Reminders,
  now: Date,
  stopped: AbortSignal,
): Promise<void> {
  let last = ''
  while (!stopped.aborted) {
    const ids = await readDueTasks(db, now, last)
    try {
      await insertReminders(db, now, timeZone, ids)
    } catch (error) {
      if (isTemporary(error)) throw error
      for (const id of ids)
        await insertReminders(db, now, timeZone, [id]).catch((reason) => {
          if (isTemporary(reason)) throw reason
          log.error({ err: reason, task: id }, 'the reminder of a task could not be written')
        })
    }
    const end = ids.at(-1)
    if (end === undefined || ids.length < BATCH_SIZE) return
    last = end
  }
}

/** The next of the open tasks that may be due by now, in some time zone, and that may need a reminder. */
async function readDueTasks(db: Db, now: Date, after: string): Promise<string[]> {
  const time = sql`${now.toISOString()}::timestamptz`
  const day = sql`(${time} at time zone 'UTC')::date`
  const { rows } = await sql<{ id: string }>`
    select task_dues.id from task_dues join tasks on tasks.id = task_dues.id
    where tasks.done_at is null and assignee_email is not null and tasks.id > ${after}
      and (task_dues.due_at between ${time} - ${MAX_AGE} - interval '2 days' and ${time}
        or task_dues.due_on between ${day} - 10 and ${day} + 1)
      and not exists (select from notifications where user_email = assignee_email
        and dedupe = 'task_overdue:' || task_dues.id || ':' || ${dueText})
      and not (coalesce(task_dues.due_on, (task_dues.due_at at time zone 'UTC')::date) >=
          ((${time} + interval '14 hours') at time zone 'UTC')::date
        and exists (select from notifications where user_email = assignee_email
          and dedupe = 'task_due:' || task_dues.id || ':' || ${dueText}))
    order by tasks.id limit ${BATCH_SIZE}`.execute(db)
  return idsOf(rows)
}

/** The day or the moment that a task is due, as text. */
const dueText = sql`coalesce(task_dues.due_on::text,
  to_char(task_dues.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/**
 * Writes the reminders of tasks that are due now: at the time of the task, or at the person's hour of that day; overdue at
 * that hour of the next day. What is overdue by now is not due in addition.
 */
async function insertReminders(db: Db, now: Date, timeZone: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const time = sql`${now.toISOString()}::timestamptz`
  const made = ids.map((task_id) => ({ task_id, id: newId('ntf') }))
  const hour = sql`make_interval(hours => digest_hour)`
  await sql`
    with person as materialized (
        select email collate "C" as email, coalesce(digest_hour, ${DEFAULT_DIGEST_HOUR}) as digest_hour,
          known_time_zone(preferences ->> 'time_zone', known_time_zone(${timeZone}::text, 'UTC')) as zone
        from users left join notification_settings on user_email = email collate "C"
        where disabled_at is null and email in (select assignee_email collate "default" from tasks where tasks.id = any(${[...ids]}))),
      due as (
        select made.id, task_dues.id as task_id, email, task_dues.due_on, task_dues.due_at, ${dueText} as due,
          coalesce(task_dues.due_at, (task_dues.due_on + ${hour}) at time zone zone) as due_time,
          (coalesce((task_dues.due_at at time zone zone)::date, task_dues.due_on) + 1 + ${hour}) at time zone zone as overdue_time
        from ${rowsFrom('made', { task_id: 'text', id: 'text' }, made)}
          join tasks on tasks.id = made.task_id join task_dues on task_dues.id = made.task_id
          join person on person.email = assignee_email
        where tasks.done_at is null),
      reminder as (
        select *, case when overdue_time <= ${time} then 'task_overdue' else 'task_due' end as kind from due
        where due_time <= ${time})
    insert into notifications (id, user_email, kind, at, subject_type, subject_id, details, dedupe)
    select id, email, kind, ${time}, 'task', task_id,
      jsonb_strip_nulls(jsonb_build_object('due_on', due_on, 'due_at', case when due_at is not null then due end)), kind || ':' || task_id || ':' || due
    from reminder
    where case kind when 'task_due' then due_time else overdue_time end > ${time} - ${MAX_AGE}
    order by email, kind, task_id
    on conflict do nothing`.execute(db)
}
