import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ended, killAll, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { createUser } from '#src/features/users/create.ts'
import type { Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'
import { createPreparedPostgres, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { type MailReceiver, startMailReceiver } from '#src/testing/mail-receiver.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { NO_RATE_LIMITS } from '#src/testing/settings.ts'

const KILLS = 20
const NOTIFICATIONS = 300
const USERS = 20
/** Long enough that each kill meets mails that the server has accepted without an answer. */
const MAX_RECEIVING_MS = 3000
const MAX_LIFE_MS = 3000

const ends: (() => Promise<unknown>)[] = []
after(async () => {
  await killAll()
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Starts a service of its own on the database. */
async function serviceOn(
  databaseUrl: string,
  receiver: MailReceiver,
): Promise<() => Promise<RunningProcess>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-mail-killed-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const port = String(await freePort())
  const settings = {
    ...{ PORT: port, DATA_DIR: folder, DATABASE_URL: databaseUrl, WORKER: 'off', EMBEDDINGS: 'off' },
    ...{ SMTP_URL: receiver.url, MAIL_FROM: 'crm@example.com' },
  }
  return async () => {
    const service = launch('main.ts', folder, { ...NO_RATE_LIMITS, ...settings })
    await ready(`http://localhost:${port}`, service)
    return service
  }
}

/** Notifies users of companies of their own, each of which is a mail. */
async function notify(db: Db, users: readonly string[], count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const company = newId('cmp')
    const [id, user] = [newId('ntf'), users[index % users.length] as string]
    await sql`
      insert into companies (id, name, status, created_at, updated_at)
      values (${company}, ${`Company ${company}`}, 'new', now(), now())`.execute(db)
    await sql`
      insert into notifications (id, user_email, kind, at, actor_email, subject_type, subject_id, dedupe)
      values (${id}, ${user}, 'assigned', now(), 'ben@example.com', 'company', ${company}, ${id})`.execute(db)
  }
}

/** Users whose digest is due at once, with a task in it. */
async function createUsers(db: Db): Promise<string[]> {
  const users = Array.from({ length: USERS }, (_value, index) => `user-${index}@example.com`)
  for (const email of [...users, 'ben@example.com']) await createUser(db, email)
  for (const email of users) {
    await sql`
      insert into notification_settings (user_email, digest_hour, unsubscribe_token)
      values (${email}, 0, null)`.execute(db)
    await sql`
      insert into tasks (id, title, due_on, assignee_email, author_email, created_at, updated_at)
      values (${newId('tsk')}, 'Call them', '2026-01-01', ${email}, ${email}, now(), now())`.execute(db)
  }
  return users
}

test('two processes killed twenty times lose no mail, and send it again with the same Message-ID', {
  skip: !testServer && 'PostgreSQL only',
}, async (t) => {
  const random = loggedRandom(t)
  const { url, drop } = await createPreparedPostgres(testServer as string)
  ends.push(drop)
  const receiver = await startMailReceiver({}, () => sleep(random() * MAX_RECEIVING_MS))
  ends.push(receiver.close)
  const { db, close } = await openDatabase({ databaseUrl: url, dataFolder: '' })
  ends.push(close)
  const users = await createUsers(db)
  const starts = [await serviceOn(url, receiver), await serviceOn(url, receiver)]
  const services = await Promise.all(starts.map((start) => start()))
  await notify(db, users, NOTIFICATIONS)
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(random() * MAX_LIFE_MS)
    const killed = services[kill % 2] as RunningProcess
    killed.child.kill('SIGKILL')
    await ended(killed.child)
    services[kill % 2] = await (starts[kill % 2] as () => Promise<RunningProcess>)()
  }
  const mails = await eventually(
    async () => {
      const { rows } = await sql<{ id: string; kind: string; sent_at: Date | null; error: string | null }>`
        select id, kind, sent_at, error from mails`.execute(db)
      assert.equal(rows.filter(({ sent_at }) => sent_at).length, NOTIFICATIONS + USERS)
      return rows
    },
    { intervalMs: 500, timeoutMs: 300_000 },
  )
  const messageIds = receiver.mails.map(({ headers }) => headers['message-id'])
  t.diagnostic(
    `${messageIds.length} messages for ${mails.length} mails: ${messageIds.length - new Set(messageIds).size} sent again`,
  )
  const sent = mails.filter(({ sent_at }) => sent_at)
  assert.deepEqual([...new Set(messageIds)].toSorted(), sent.map(({ id }) => `<${id}@localhost>`).toSorted())
  assert.equal(sent.filter(({ kind }) => kind === 'digest').length, USERS)
  const subjects = new Set(receiver.mails.map(({ headers }) => headers.subject))
  assert.equal(subjects.size, NOTIFICATIONS + 1, 'each notification arrived, and the digest')
})
