import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { ContextParts } from '#src/context.ts'
import { createUser } from '#src/features/users/create.ts'
import { newId } from '#src/platform/ids.ts'
import { MailServer } from '#src/platform/mail/mail-server.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { type MailReceiver, type ReceivedMail, startMailReceiver } from '#src/testing/mail-receiver.ts'
import { queueDigests } from './queue-digests.ts'
import { queueAtOnce } from './queue-now.ts'
import { sendDueMails } from './send.ts'

export const FROM = 'Deal pipeline <crm@example.com>'
export const minutes = (count: number): number => count * 60_000
export const hours = (count: number): number => minutes(60) * count

interface NewNotification {
  kind?: string
  /** The company that it is about. */
  company: string
  at?: Date
}

/** A service whose mail arrives at a receiver. Nothing is queued or sent before `deliver`. */
export interface MailService extends TestApp {
  receiver: MailReceiver
  /** What it has logged, as JSON. */
  log: string[]
  /** Creates a user. Returns the address. */
  user(email: string, preferences?: object): Promise<string>
  company(name: string): Promise<string>
  /** Notifies a user. Returns the id of the notification. */
  notify(email: string, notification: NewNotification): Promise<string>
  task(email: string, title: string, due: { due_on?: string; due_at?: Date }): Promise<string>
  set(email: string, settings: { mail?: object; digest_hour?: number }): Promise<void>
  /** Queues and sends what is due at a time. Returns the mails that have arrived since the last call. */
  deliver(now?: Date): Promise<ReceivedMail[]>
  /** Makes waiting mails due, as if their pauses were over. */
  endPauses(): Promise<void>
  /** Without the digests that have nothing to say. */
  mails(): Promise<
    { user_email: string; kind: string; isSent: boolean; isWaiting: boolean; error: string | null }[]
  >
}

export async function mailService(
  settings: Record<string, string> = {},
  overrides: Partial<ContextParts> = {},
): Promise<MailService> {
  const receiver = await startMailReceiver()
  const log: string[] = []
  const api = await testApp(
    { SMTP_URL: receiver.url, MAIL_FROM: FROM, ...settings },
    { ...overrides, log: pino({ level: 'debug' }, { write: (line: string) => void log.push(line) }) },
  )
  const { config, context } = api
  const { db } = context
  const mailServer = context.mailServer as MailServer
  assert.ok(mailServer instanceof MailServer)
  const { authentication: allowlist, publicUrl, timeZone } = config
  const workspace = { name: 'Nordic Ventures', publicUrl, timeZone, allowlist }
  let seen = 0
  return {
    ...api,
    receiver,
    log,
    user: async (email, preferences = {}) => {
      await createUser(db, email)
      await sql`
        update users set preferences = (preferences::jsonb || ${JSON.stringify(preferences)}::jsonb)::json
        where email = ${email}`.execute(db)
      return email
    },
    company: async (name) => {
      const { status, body } = await api.call('POST', '/api/companies', { name })
      assert.equal(status, 201, JSON.stringify(body))
      return body.data.id
    },
    notify: async (email, { kind = 'assigned', company, at = new Date() }) => {
      const id = newId('ntf')
      await sql`
        insert into notifications (id, user_email, kind, at, actor_email, subject_type, subject_id, dedupe)
        values (${id}, ${email}, ${kind}, ${at}, 'ben@example.com', 'company', ${company}, ${id})`.execute(db)
      return id
    },
    task: async (
      email,
      title,
      { due_on = null, due_at = null }: { due_on?: string | null; due_at?: Date | null },
    ) => {
      const id = newId('tsk')
      await sql`
        insert into tasks (id, title, due_on, due_at, assignee_email, author_email, created_at, updated_at)
        values (${id}, ${title}, ${due_on}, ${due_at}, ${email}, ${email}, now(), now())`.execute(db)
      return id
    },
    set: async (email, { mail = {}, digest_hour = 8 }) => {
      await sql`
        insert into notification_settings (user_email, mail, digest_hour, unsubscribe_token)
        values (${email}, ${JSON.stringify(mail)}::jsonb, ${digest_hour}, null)
        on conflict (user_email) do update set mail = excluded.mail, digest_hour = excluded.digest_hour`.execute(
        db,
      )
    },
    deliver: async (now = new Date()) => {
      await queueAtOnce(db, now)
      await queueDigests(db, timeZone, now)
      await sendDueMails({
        db,
        keyring: context.keyring,
        server: mailServer,
        workspace,
        log: context.log,
        now: () => now,
      })
      const arrived = receiver.mails.slice(seen)
      seen = receiver.mails.length
      return arrived
    },
    endPauses: async () => {
      await sql`update mails set next_attempt_at = now() where next_attempt_at is not null`.execute(db)
    },
    mails: async () => {
      const { rows } = await sql<Awaited<ReturnType<MailService['mails']>>[number]>`
        select user_email, kind, sent_at is not null as "isSent", next_attempt_at is not null as "isWaiting", error
        from mails where attempts > 0 or next_attempt_at is not null order by id`.execute(db)
      return rows
    },
    close: async () => {
      await api.close()
      await receiver.close()
    },
  }
}
