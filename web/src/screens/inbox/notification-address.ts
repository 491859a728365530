import type { Notification } from '#web/api/service.ts'
import type { ViewEntity } from '#web/views/view-queries.ts'
import { VIEW_SCREENS } from '#web/views/view-screens.ts'

/** The screens of records that have one of their own. */
const SCREENS = {
  company: '/companies',
  deal: '/deals',
  person: '/people',
  thesis: '/theses',
  note: '/notes',
  file: '/files',
  bulk_action: '/bulk-actions',
}

const IMPORTS: Record<string, string> = {
  company: '/companies/import',
  note: '/companies/import',
  person: '/people/import',
  deal: '/pipeline/import',
}

/** The address of what a notification is about. Several records of one action are on the page of the action. */
export function notificationAddress(notification: Notification): string {
  const { kind, subject, about, count, action_id, details } = notification
  const { type, id } = subject
  if (type === 'view') return `${VIEW_SCREENS[(details.entity ?? 'company') as ViewEntity]}?view=${id}`
  if (type === 'import') return IMPORTS[String(details.type)] ?? '/companies/import'
  if (type === 'task') return count > 1 ? '/tasks' : `/tasks?task=${id}`
  if (kind === 'vote_asked' && count > 1) return '/decisions?state=mine'
  if (count > 1 && action_id !== null) return `/activity/actions/${action_id}`
  if (type === 'decision') return about[0] ? `/companies/${about[0].id}` : '/decisions'
  return `${SCREENS[type]}/${id}`
}

/** The names of what a notification is about that its sentence does not contain. */
export function unnamedRecords({ subject, about, text, count }: Notification): string[] {
  const names = [...(count === 1 && subject.name ? [subject.name] : []), ...about.map(({ name }) => name)]
  return [...new Set(names)].filter((name) => !text.includes(name))
}
