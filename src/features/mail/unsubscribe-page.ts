import type { NOTIFICATION_KINDS } from '#src/features/notifications/index.ts'
import { type Html, html } from '#src/platform/http/html.ts'
import type { UnsubscribeKind } from './schema.ts'

/** After "mail about". */
const SUBJECTS: Record<(typeof NOTIFICATION_KINDS)[number], string> = {
  mentioned: 'notes that mention you',
  assigned: 'tasks that you are assigned',
  task_due: 'tasks that are due',
  task_overdue: 'overdue tasks',
  task_returned: 'tasks that come back to you',
  deal_moved: 'deals that move',
  vote_asked: 'decisions that need your vote',
  note_added: 'new notes',
  file_infected: 'infected files',
  view_has_new: 'new records in your views',
  import_ended: 'your imports',
  bulk_action_ended: 'your bulk actions',
}

function nameOf(kind: UnsubscribeKind | undefined): string {
  if (kind === undefined) return 'mail of notifications'
  return kind === 'digest' ? 'the daily digest' : `mail about ${SUBJECTS[kind]}`
}

/** The form posts to the address of the page. */
export const askPage = (kind: UnsubscribeKind | undefined): Html => html`<h1>Stop ${nameOf(kind)}?</h1>
<p>Your Inbox still shows everything. You can turn this on again in your <a href="/settings">settings</a>.</p>
<form method="post"><button type="submit">Stop ${nameOf(kind)}</button></form>`

export const donePage = (kind: UnsubscribeKind | undefined): Html => html`<h1>Done</h1>
<p>You no longer get ${nameOf(kind)}. Your Inbox still shows everything.</p>
<p><a href="/settings">Change your notifications</a></p>`

export const failedPage = (details: string): Html => html`<h1>This did not work</h1>
<p>${details}</p>
<p><a href="/settings">Change your notifications</a></p>`
