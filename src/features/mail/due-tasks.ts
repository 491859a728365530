import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { dayAt } from './digest-day.ts'

/** A task of a person that is overdue, or due on this day. */
export interface DueTask {
  id: string
  title: string
  due_on: string | null
  due_at: Date | null
  isOverdue: boolean
}

const MAX_TASKS = 100

interface Clock {
  now: Date
  timeZone: string
}

const isOverdue = ({ now, timeZone }: Clock): RawBuilder<boolean> =>
  sql<boolean>`coalesce(due.due_on < ${dayAt(now, timeZone).date}::date or due.due_at < ${now}, false)`

const isDueByTonight = ({ now, timeZone }: Clock): RawBuilder<boolean> => {
  const { date, end } = dayAt(now, timeZone)
  return sql<boolean>`(due.due_on <= ${date}::date or due.due_at < ${new Date(end)})`
}

const tasksOf = (email: RawBuilder<unknown>, clock: Clock) => sql`
  tasks join task_dues due on due.id = tasks.id
  where tasks.assignee_email = ${email} and tasks.done_at is null and ${isDueByTonight(clock)}`

/** What the digest shows of tasks: overdue ones and those of today, or only one of them. */
export interface Shown {
  overdue: RawBuilder<boolean>
  today: RawBuilder<boolean>
}

/** Whether the user has such tasks. */
export const hasDueTasks = (
  email: RawBuilder<unknown>,
  clock: Clock,
  { overdue, today }: Shown,
): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from ${tasksOf(email, clock)} and case when ${isOverdue(clock)} then ${overdue} else ${today} end)`

/** The open tasks of a user that are overdue or due today, first due first, at most 100. */
export async function readDueTasks(db: Db, email: string, clock: Clock): Promise<DueTask[]> {
  const { rows } = await sql<DueTask>`
    select tasks.id, tasks.title, due.due_on::text as due_on, due.due_at, ${isOverdue(clock)} as "isOverdue"
    from ${tasksOf(sql`${email}`, clock)}
    order by coalesce(due.due_on, (due.due_at at time zone 'UTC')::date), due.due_at nulls first, tasks.id
    limit ${MAX_TASKS}`.execute(db)
  return rows
}
