import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, isOneOf, type JsonPage, jsonArray } from '#src/platform/database/sql.ts'
import { type FilterCaller, filterConditions, sortOrder } from '#src/platform/filter/query.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { startOfDay } from '#src/platform/schema/time-zone.ts'
import { isTaskAbout, taskSearchFields } from './fields.ts'
import { type Calendar, daysFromToday } from './next-due.ts'
import { type DUES, NO_ASSIGNEE, type TaskFilters, type TaskQuery } from './schema.ts'
import { dueOn, isListedTask, taskFields } from './store.ts'

/** @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function listTasks(
  db: Db,
  caller: FilterCaller,
  { sort, limit, offset, ...filters }: TaskQuery,
): Promise<JsonPage> {
  const where = all(await taskConditions(caller, filters))
  const order = sortOrder(sort, taskSearchFields) ?? (await defaultOrder(caller, filters.done))
  const page = pageOf({ limit, offset })
  // The tasks of the page are found first: what they are about is read for them alone.
  const fields = sql`select ${taskFields} from tasks where id in (
    select id from tasks where ${where} ${order} limit ${page.limit} offset ${page.offset}) ${order}`
  const { rows } = await sql<JsonPage>`
    select (${jsonArray(fields)}) as records, (select count(*) from tasks where ${where})::float8 as total`.execute(
    db,
  )
  return rows[0] as JsonPage
}

/** On one day, tasks with a time come first. */
async function defaultOrder(caller: FilterCaller, isDone = false): Promise<RawBuilder<unknown>> {
  if (isDone) return sql`order by done_at desc, id desc`
  const zone = await caller.readTimeZone()
  return sql`order by coalesce(${dueOn}, (tasks.due_at at time zone ${zone}::text)::date) nulls last, tasks.due_at nulls last, id`
}

/** The conditions of a list and of an export. @throws InvalidInput for a filter that is wrong */
export async function taskConditions(
  caller: FilterCaller,
  { search, assignee, author_email, about, due, done = false, filter }: TaskFilters,
): Promise<RawBuilder<unknown>[]> {
  const where = [
    isListedTask,
    done ? sql`done_at is not null` : sql`done_at is null`,
    ...(await filterConditions(filter, taskSearchFields, caller)),
  ]
  for (const word of search?.split(/\s+/).filter(Boolean) ?? [])
    where.push(sql`position(fold_text(${word}) in fold_text(title)) > 0`)
  if (assignee) where.push(isAssignedTo([assignee].flat()))
  if (author_email) where.push(isOneOf('author_email', author_email))
  if (about) where.push(isTaskAbout([about].flat()))
  if (due) {
    const calendar = { zone: await caller.readTimeZone(), now: Date.now() }
    const dues = [due].flat() as (typeof DUES)[number][]
    where.push(
      sql`(${sql.join(
        dues.map((one) => isDue(one, calendar)),
        sql` or `,
      )})`,
    )
  }
  return where
}

function isAssignedTo(assignees: readonly string[]): RawBuilder<unknown> {
  const emails = assignees.filter((email) => email !== NO_ASSIGNEE)
  const isOneOfThem = isOneOf('assignee_email', emails)
  if (emails.length === assignees.length) return isOneOfThem
  return sql`(assignee_email is null or ${isOneOfThem})`
}

/** Each task is due in one of these ways. */
function isDue(due: (typeof DUES)[number], calendar: Calendar): RawBuilder<unknown> {
  const [today, tomorrow, later] = [0, 1, 8].map((days) => daysFromToday(calendar, days)) as [
    string,
    string,
    string,
  ]
  const start = (day: string) =>
    sql`${new Date(startOfDay(Date.parse(day), calendar.zone)).toISOString()}::timestamptz`
  const now = sql`${new Date(calendar.now).toISOString()}::timestamptz`
  const isBetween = (from: string, until: string, fromTime: RawBuilder<unknown>) =>
    sql`((${dueOn} >= ${from}::date and ${dueOn} < ${until}::date)
      or (tasks.due_at >= ${fromTime} and tasks.due_at < ${start(until)}))`
  switch (due) {
    case 'overdue':
      return sql`(${dueOn} < ${today}::date or tasks.due_at < ${now})`
    case 'today':
      return isBetween(today, tomorrow, now)
    case 'week':
      return isBetween(tomorrow, later, start(tomorrow))
    case 'later':
      return sql`(${dueOn} >= ${later}::date or tasks.due_at >= ${start(later)})`
    case 'none':
      return sql`(${dueOn} is null and tasks.due_at is null)`
  }
}
