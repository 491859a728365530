import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { startBackground } from '#src/background.ts'
import { testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { startMailReceiver } from '#src/testing/mail-receiver.ts'
import { FROM, type MailService, mailService } from './mail.fixture.ts'

let service: MailService
let nordlys: string
before(async () => {
  service = await mailService()
  nordlys = await service.company('Nordlys Robotics')
  for (const name of ['ben', 'ada', 'carl', 'dora']) await service.user(`${name}@example.com`)
})
after(() => service.close())
beforeEach(async () => {
  await sql`delete from mails`.execute(service.context.db)
  service.log.length = 0
})

const idsOf = (mails: readonly { headers: Record<string, string> }[]) =>
  mails.map(({ headers }) => headers['message-id'])

test('nothing is lost while the mail server is down', async () => {
  const { receiver } = service
  await receiver.stop()
  for (let index = 0; index < 60; index++) await service.notify('ada@example.com', { company: nordlys })
  for (let attempt = 0; attempt < 3; attempt++) {
    await assert.rejects(service.deliver(), /The mail server 127\.0\.0\.1:\d+ refuses connections\./)
    await service.endPauses()
  }
  const waiting = await service.mails()
  assert.equal(waiting.length, 60)
  assert.ok(waiting.every(({ isWaiting, isSent }) => isWaiting && !isSent))
  await receiver.start()
  const arrived = await service.deliver()
  assert.equal(new Set(idsOf(arrived)).size, 60)
  assert.equal(arrived.length, 60)
  assert.ok((await service.mails()).every(({ isSent, error }) => isSent && error === null))
})

test('the pauses between attempts grow up to 10 minutes, and an outage ends no mail', async () => {
  const { db } = service.context
  await service.notify('ada@example.com', { company: nordlys })
  service.receiver.refuse.recipient = () => ({ code: 421, message: 'Too busy' })
  const pauses: number[] = []
  for (let attempt = 0; attempt < 10; attempt++) {
    await sql`update mails set created_at = now() - interval '6 days'`.execute(db)
    await assert.rejects(service.deliver(), /The mail server .* cannot be used: 421 .*Too busy/)
    const { rows } = await sql<{ pause: number }>`
      select round(extract(epoch from next_attempt_at - now()))::int as pause
      from mails where next_attempt_at is not null`.execute(db)
    pauses.push(rows[0]?.pause ?? Number.NaN)
    await service.endPauses()
  }
  service.receiver.refuse.recipient = undefined
  assert.deepEqual(pauses, [4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
  assert.equal((await service.deliver()).length, 1)
})

test('a refused recipient, a malformed mail, and an unexpected error stop no other', async () => {
  const { db, mailServer } = service.context
  service.receiver.refuse.recipient = (address) =>
    address === 'carl@example.com' ? { code: 550, message: 'No such user here' } : undefined
  const send = mailServer?.send
  assert.ok(mailServer && send)
  mailServer.send = (message) => {
    if (message.to.address === 'dora@example.com') throw new TypeError('This cannot be written.')
    return send.call(mailServer, message)
  }
  await sql`
    insert into mails (id, user_email, kind, dedupe, notification_ids, next_attempt_at)
    values ('mail_empty', 'ben@example.com', 'digest', 'empty', '{}', '-infinity'),
      ('mail_unknown', 'nobody@example.com', 'digest', 'unknown', '{x}', '-infinity')`.execute(db)
  await service.user('not an address')
  for (const user of ['not an address', 'carl@example.com', 'dora@example.com', 'ada@example.com'])
    await service.notify(user, { company: nordlys })
  const arrived = await service.deliver()
  service.receiver.refuse.recipient = undefined
  mailServer.send = send
  assert.deepEqual(
    arrived.map(({ to }) => to),
    ['ada@example.com'],
  )
  const mails = new Map((await service.mails()).map((mail) => [mail.user_email, mail]))
  assert.match(mails.get('carl@example.com')?.error ?? '', /^550 .*No such user here/)
  assert.equal(mails.get('dora@example.com')?.error, 'This cannot be written.')
  assert.deepEqual(
    [...mails.values()].filter(({ isWaiting }) => isWaiting).map(({ user_email }) => user_email),
    ['dora@example.com'],
  )
  const logged = (text: string) => service.log.filter((line) => line.includes(text)).join('')
  assert.match(logged('mail cannot be delivered'), /^[^\n]*"reason":"550 No such user here"[^\n]*\n$/)
  assert.match(logged('mail will be sent again'), /^[^\n]*This cannot be written\.[^\n]*\n$/)
  await service.endPauses()
  assert.deepEqual(
    (await service.deliver()).map(({ to }) => to),
    ['dora@example.com'],
    'a refusal is final',
  )
})

test('a mail that is refused for now is sent later, and given up after 5 days', async () => {
  const { db } = service.context
  service.receiver.refuse.message = () => ({ code: 451, message: 'Mailbox is full' })
  await service.notify('ada@example.com', { company: nordlys })
  assert.deepEqual(await service.deliver(), [])
  const [later] = await service.mails()
  assert.deepEqual([later?.isWaiting, later?.isSent], [true, false])
  assert.match(later?.error ?? '', /451 .*Mailbox is full/)
  service.receiver.refuse.message = undefined
  await service.endPauses()
  assert.equal((await service.deliver()).length, 1)
  service.receiver.refuse.message = () => ({ code: 451, message: 'Mailbox is full' })
  await service.notify('ada@example.com', { company: nordlys })
  await service.deliver()
  await sql`update mails set created_at = now() - interval '6 days'`.execute(db)
  await service.endPauses()
  assert.deepEqual(await service.deliver(), [])
  service.receiver.refuse.message = undefined
  const last = (await service.mails()).at(-1)
  assert.deepEqual([last?.isWaiting, last?.isSent], [false, false])
})

test('a mail that another process has claimed is not sent twice', async () => {
  const { db } = service.context
  await service.notify('ada@example.com', { company: nordlys })
  await service.receiver.stop()
  await assert.rejects(service.deliver())
  await service.receiver.start()
  await sql`update mails set next_attempt_at = now() + interval '30 seconds'`.execute(db)
  assert.deepEqual(await service.deliver(), [])
  await service.endPauses()
  const [first] = await service.deliver()
  // As after a crash between the server's answer and its record.
  await sql`update mails set sent_at = null, next_attempt_at = now()`.execute(db)
  const [second] = await service.deliver()
  assert.equal(second?.headers['message-id'], first?.headers['message-id'])
})

test('a wrong password is a warning of /readyz, and appears nowhere', async () => {
  const password = 'hunter2/&ä'
  const receiver = await startMailReceiver({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      done(Object.assign(new Error(`not ${password}, ${btoa('hunter2/&')}`), { responseCode: 535 })),
  })
  const url = new URL(receiver.url)
  const log: string[] = []
  const { pino } = await import('pino')
  const api = await testApp(
    { SMTP_URL: `smtp://crm:${encodeURIComponent(password)}@${url.host}`, MAIL_FROM: FROM },
    { log: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }) },
  )
  const stop = startBackground(api.context, '', ['mail', 'dependencies'])
  try {
    const ready = await eventually(async () => {
      const answer = await api.call('GET', '/readyz')
      assert.equal(answer.body.warnings.length, 1)
      return answer
    })
    assert.equal(ready.status, 200)
    assert.deepEqual(ready.body.warnings, [
      `The mail server ${url.host} refuses the user name or password of SMTP_URL (535).`,
    ])
    const shown = `${log.join('')}${JSON.stringify(ready.body)}`
    assert.match(shown, /mail: The mail server/)
    assert.doesNotMatch(shown, /hunter2|aHVudGVy/)
  } finally {
    await stop()
    await api.close()
    await receiver.close()
  }
})

test('the background work mails within seconds', async () => {
  const stop = startBackground(service.context, '', ['access', 'mail'])
  try {
    await service.notify('ada@example.com', { company: nordlys })
    await eventually(async () =>
      assert.deepEqual(
        (await service.mails()).map(({ isSent }) => isSent),
        [true],
      ),
    )
  } finally {
    await stop()
  }
})
