import { sql } from 'kysely'
import { readNotificationTexts } from '#src/features/notifications/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isAllowed } from '#src/platform/identity/allowlist.ts'
import type { Message } from '#src/platform/mail/mail-server.ts'
import { type MailContent, type MailedNotification, unsubscribeUrl, type Workspace } from './content.ts'
import { renderDigest } from './digest.ts'
import { htmlOf, textOf } from './layout.ts'
import { plainLine } from './plain-line.ts'
import type { Recipient } from './recipients.ts'
import type { ClaimedMail } from './store.ts'

const MAX_SUBJECT_LENGTH = 150
const MAX_NAME_LENGTH = 100

/**
 * Writes a mail as of now.
 * @param recipient undefined for an address without a user
 * @returns undefined if nothing is left to say: the person has read it in the app, may not see it, or wants no such mail
 */
export async function renderMail(
  db: Db,
  mail: ClaimedMail,
  recipient: Recipient | undefined,
  workspace: Workspace,
  now: Date,
): Promise<Message | undefined> {
  if (!recipient?.getsMail || !isAllowed(recipient.email, workspace.allowlist)) return undefined
  const notifications = await readUnread(db, mail, recipient, workspace.publicUrl)
  const content =
    mail.kind === 'digest'
      ? await renderDigest(db, recipient, notifications, workspace, now)
      : renderNotification(notifications[0], recipient, workspace)
  return content && messageOf(mail, recipient, content, workspace)
}

/** Those that the person has not read, may still see, and still wants to be mailed about. */
async function readUnread(
  db: Db,
  { notification_ids, kind }: ClaimedMail,
  { email, timings }: Recipient,
  publicUrl: string,
): Promise<MailedNotification[]> {
  if (notification_ids.length === 0) return []
  const { rows } = await sql<{ id: string; kind: string }>`
    select id, kind from notifications
    where id = any(${notification_ids}) and user_email = ${email} and read_at is null and done_at is null
    order by at, id`.execute(db)
  const wanted = rows.filter(
    (row) => timings[row.kind] !== 'off' && (kind === 'now' || !isAboutDueTask(row.kind)),
  )
  if (wanted.length === 0) return []
  const texts = await readNotificationTexts(
    db,
    email,
    wanted.map(({ id }) => id),
  )
  return wanted.flatMap(({ id }) => {
    const found = texts.get(id)
    return found ? [{ kind: found.kind, text: plainLine(found.text), url: `${publicUrl}${found.path}` }] : []
  })
}

/** The digest lists due tasks themselves, as they are when it is sent. */
const isAboutDueTask = (kind: string): boolean => kind === 'task_due' || kind === 'task_overdue'

function renderNotification(
  notification: MailedNotification | undefined,
  { unsubscribeToken }: Recipient,
  { name, publicUrl }: Workspace,
): MailContent | undefined {
  if (!notification) return undefined
  const { kind, text, url } = notification
  return {
    subject: text,
    workspace: name,
    title: text,
    sections: [],
    action: { label: 'Open', url },
    reason: 'You get mail of this kind as soon as it happens.',
    settings: { label: 'Change your notifications', url: `${publicUrl}/settings` },
    unsubscribe: {
      label: 'Stop mail of this kind',
      url: unsubscribeUrl(publicUrl, unsubscribeToken, kind),
    },
  }
}

function messageOf(
  { id }: ClaimedMail,
  { email, name }: Recipient,
  content: MailContent,
  { publicUrl }: Workspace,
): Message {
  return {
    id: `${id}@${new URL(publicUrl).hostname}`,
    to: { name: plainLine(name ?? '', MAX_NAME_LENGTH), address: email },
    subject: plainLine(content.subject, MAX_SUBJECT_LENGTH),
    text: textOf(content),
    html: htmlOf(content),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${content.unsubscribe.url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
