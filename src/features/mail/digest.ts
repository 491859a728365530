import type { Db } from '#src/platform/database/database.ts'
import {
  type Entry,
  type MailContent,
  type MailedNotification,
  type Section,
  unsubscribeUrl,
  type Workspace,
} from './content.ts'
import { type DueTask, readDueTasks } from './due-tasks.ts'
import { plainLine } from './plain-line.ts'
import type { Recipient } from './recipients.ts'

const MAX_ENTRIES = 50

/**
 * The digest: overdue tasks, those of today, and what is new.
 * @returns undefined if there is none of this
 */
export async function renderDigest(
  db: Db,
  recipient: Recipient,
  notifications: readonly MailedNotification[],
  { name, publicUrl }: Workspace,
  now: Date,
): Promise<MailContent | undefined> {
  const { timeZone, timings, unsubscribeToken } = recipient
  const tasks = (await readDueTasks(db, recipient.email, { now, timeZone })).filter(
    ({ isOverdue }) => timings[isOverdue ? 'task_overdue' : 'task_due'] === 'digest',
  )
  const overdue = tasks.filter(({ isOverdue }) => isOverdue)
  const today = tasks.filter(({ isOverdue }) => !isOverdue)
  if (tasks.length + notifications.length === 0) return undefined
  const entryOf = (task: DueTask): Entry => ({
    text: plainLine(task.title),
    url: `${publicUrl}/tasks`,
    ...noteOf(task, timeZone),
  })
  return {
    subject: summary(overdue.length, today.length, notifications.length),
    workspace: name,
    title: dayName(now, timeZone),
    sections: [
      sectionOf('Overdue', overdue.map(entryOf)),
      sectionOf('Due today', today.map(entryOf)),
      sectionOf('New', notifications),
    ].filter(({ entries }) => entries.length > 0),
    action: { label: 'Open your Inbox', url: `${publicUrl}/inbox` },
    reason: 'You get this mail once a day, if something is due or new.',
    settings: { label: 'Change your notifications', url: `${publicUrl}/settings` },
    unsubscribe: { label: 'Stop this mail', url: unsubscribeUrl(publicUrl, unsubscribeToken, 'digest') },
  }
}

const sectionOf = (title: string, entries: readonly Entry[]): Section => ({
  title,
  entries: entries.slice(0, MAX_ENTRIES),
  more: Math.max(0, entries.length - MAX_ENTRIES),
})

/** Such as "2 tasks overdue, 1 due today, 4 updates". */
function summary(overdue: number, today: number, updates: number): string {
  const tasks = (count: number) => `${count} ${count === 1 ? 'task' : 'tasks'}`
  return [
    ...(overdue > 0 ? [`${tasks(overdue)} overdue`] : []),
    ...(today > 0 ? [`${overdue > 0 ? today : tasks(today)} due today`] : []),
    ...(updates > 0 ? [updates === 1 ? '1 update' : `${updates} updates`] : []),
  ].join(', ')
}

const dayName = (now: Date, timeZone: string): string =>
  now.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone })

/** When an overdue task was due, or at which time one of today is. */
function noteOf({ due_on, due_at, isOverdue }: DueTask, timeZone: string): { note?: string } {
  const day = { month: 'short', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit' } as const
  if (due_on)
    return isOverdue
      ? { note: new Date(due_on).toLocaleDateString('en-US', { ...day, timeZone: 'UTC' }) }
      : {}
  if (!due_at) return {}
  return { note: due_at.toLocaleString('en-US', { ...(isOverdue ? day : {}), ...time, timeZone }) }
}
