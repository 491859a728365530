import { type RawBuilder, sql } from 'kysely'
import { aboutOf } from '#src/features/activity/index.ts'
import { isListed, type Links, readLinks } from '#src/features/links/index.ts'
import { lockedRows } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Json, precompile, utc, utcText } from '#src/platform/database/sql.ts'
import type { Task } from './schema.ts'
import './table.ts'

/** The day that counts now: a contact moves it. */
export const dueOn = sql`task_due_on(tasks.id, tasks.due_on, unless_contact_days, done_at)`

/** A task's fields as the API shows them. */
export const taskFields = precompile(sql`tasks.id, title, (${dueOn})::text as due_on,
  ${utcText(sql`tasks.due_at`)} as due_at, assignee_email, ${aboutOf(sql`tasks.id`)} as about, repeat, unless_contact_days,
  case when unless_contact_days is not null then ${utcText(sql`last_task_contact(tasks.id)`)} end as last_contact_at,
  ${utc('done_at')}, done_by, author_email, ${utc('created_at')}, ${utc('updated_at')}`)

/** Lists leave out tasks when everything they are about is in the trash. */
export const isListedTask = isListed(sql`tasks.id`)

/** The task; undefined if there is none, or if all that it is about is in the trash. */
export async function readTask(db: Db, id: string): Promise<Json | undefined> {
  const { rows } = await sql<{ record: Json }>`
    select row_to_json(record)::text as record
    from (select ${taskFields} from tasks where tasks.id = ${id} and ${isListedTask}) record`.execute(db)
  return rows[0]?.record
}

/** A task as stored. */
export interface StoredTask extends Omit<Task, 'about' | 'last_contact_at'> {
  repeat_day: number | null
  repeat_time: string | null
  links: Links
}

const storedFields = sql`id, title, due_on::text as due_on, ${utc('due_at')}, assignee_email, author_email, repeat,
  repeat_day, repeat_time, unless_contact_days, ${utc('done_at')}, done_by, ${utc('created_at')}, ${utc('updated_at')}`

async function withLinks(db: Db, rows: Omit<StoredTask, 'links'>[]): Promise<StoredTask[]> {
  const links = await readLinks(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((task) => ({ ...task, links: links.get(task.id) ?? {} }))
}

/** The tasks that are not in the trash, locked until the transaction ends. */
export async function lockTasks(transaction: Db, ids: readonly string[]): Promise<StoredTask[]> {
  const { rows } = await sql<StoredTask>`
    select ${storedFields} from tasks where id = any(${[...ids]}) order by id for no key update`.execute(
    transaction,
  )
  return withLinks(transaction, rows)
}

/** The tasks in the trash, locked until the transaction ends. Their links can be written. */
export async function lockTrashedTasks(transaction: Db, ids: readonly string[]): Promise<StoredTask[]> {
  const { rows } = await sql<StoredTask>`
    select ${storedFields} from (${lockedRows('task', 'tasks', ids)}) tasks`.execute(transaction)
  return withLinks(transaction, rows)
}

/** The links of a task, also to records in the trash. */
export const readTaskLinks = async (db: Db, id: string): Promise<Links> =>
  (await readLinks(db, [id])).get(id) ?? {}

/** The links of all of these tasks, by their names. */
export async function readTaskLinksOf(db: Db, ids: readonly string[]): Promise<Links> {
  return Object.assign({}, ...(await readLinks(db, ids)).values())
}

/** The day that counts now of a task that is not done. */
export async function readDueOn(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ due_on: string | null }>`
    select (${dueOn})::text as due_on from tasks where id = ${id}`.execute(db)
  return rows[0]?.due_on ?? null
}

const timeOrNull = (time: string | null) => (time === null ? null : new Date(time))

/** What undo hands over has each link as a field too. */
function rowOf(task: StoredTask) {
  const { id, title, due_on, due_at, assignee_email, author_email, repeat, repeat_day, repeat_time } = task
  const { unless_contact_days, done_at, done_by, created_at, updated_at } = task
  return {
    ...{ id, title, due_on, assignee_email, author_email, repeat, repeat_day, repeat_time },
    ...{ unless_contact_days, done_by, due_at: timeOrNull(due_at), done_at: timeOrNull(done_at) },
    ...{ created_at: new Date(created_at), updated_at: new Date(updated_at) },
  }
}

export async function insertTaskRows(transaction: Db, tasks: readonly StoredTask[]): Promise<void> {
  if (tasks.length > 0) await transaction.insertInto('tasks').values(tasks.map(rowOf)).execute()
}

/** Overwrites a task, without its links. */
export async function writeTask(transaction: Db, task: StoredTask): Promise<void> {
  const { id, created_at: _created, ...row } = rowOf(task)
  await transaction.updateTable('tasks').set(row).where('id', '=', id).execute()
}

/** Who tasks belong to, also of those in the trash: their authors and assignees. */
export async function readTaskOwners(
  db: Db,
  ids: readonly string[],
): Promise<Pick<StoredTask, 'author_email' | 'assignee_email'>[]> {
  const owners = (record: RawBuilder<unknown>) =>
    sql`${record} ->> 'author_email' as author_email, ${record} ->> 'assignee_email' as assignee_email`
  const { rows } = await sql<Pick<StoredTask, 'author_email' | 'assignee_email'>>`
    select author_email, assignee_email from tasks where id = any(${[...ids]})
    union all select ${owners(sql`(content -> 'record')`)} from trash
      where id = any(${[...ids]}) and entity_type = 'task'`.execute(db)
  return rows
}
