import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'
import { type MailReceiver, startMailReceiver } from '#src/testing/mail-receiver.ts'
import type { Place } from './load.ts'
import { startMailServices } from './processes.ts'

export interface ReminderFigures {
  reminders: number
  /** From the moment at which the tasks are due until the last mail has arrived. */
  seconds: number
  /** Mails that arrived more than once. */
  repeated: number
}

const USERS = 100
const POLL_INTERVAL_MS = 50
const TIMEOUT_MS = 600_000

/** Measures how long two processes take to remind users by mail of tasks that are all due at the same moment. */
export async function measureReminders(place: Place, reminders: number): Promise<ReminderFigures> {
  const receiver = await startMailReceiver()
  const services = await startMailServices(place, receiver.url)
  const { db, close } = await openDatabase(place)
  try {
    await createUsers(db)
    await createTasks(db, reminders)
    const start = performance.now()
    await arrival(receiver, reminders, start + TIMEOUT_MS)
    const seconds = (performance.now() - start) / 1000
    return { reminders, seconds, repeated: receiver.mails.length - distinct(receiver) }
  } finally {
    await close()
    await Promise.all(services.map(({ stop }) => stop()))
    await receiver.close()
  }
}

const distinct = ({ mails }: MailReceiver): number =>
  new Set(mails.map(({ headers }) => headers['message-id'])).size

async function arrival(receiver: MailReceiver, count: number, deadline: number): Promise<void> {
  while (distinct(receiver) < count) {
    if (performance.now() > deadline) throw new Error(`Only ${distinct(receiver)} of ${count} mails arrived.`)
    await sleep(POLL_INTERVAL_MS)
  }
}

const userOf = (index: number): string => `user-${index % USERS}@example.com`

/** Users who want reminders at once. */
async function createUsers(db: Db): Promise<void> {
  const emails = Array.from({ length: USERS }, (_value, index) => userOf(index))
  await sql`
    insert into users (email, role, preferences) select email, 'member', '{}' from unnest(${emails}::text[]) as email`.execute(
    db,
  )
  await sql`
    insert into notification_settings (user_email, mail)
    select email, '{"task_due": "now", "task_overdue": "off"}' from unnest(${emails}::text[]) as email`.execute(
    db,
  )
}

/** Tasks that are due now. */
async function createTasks(db: Db, count: number): Promise<void> {
  const tasks = Array.from({ length: count }, (_value, index) => ({
    ...{ id: newId('tsk'), title: `Call company ${index}`, assignee_email: userOf(index) },
  }))
  await sql`
    insert into tasks (id, title, due_at, assignee_email, author_email, created_at, updated_at)
    select id, title, now(), assignee_email, assignee_email, now(), now()
    from json_to_recordset(${JSON.stringify(tasks)}::json) as new (id text, title text, assignee_email text)`.execute(
    db,
  )
}
