import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hours, type MailService, mailService } from './mail.fixture.ts'

let service: MailService
let nordlys: string
before(async () => {
  service = await mailService({ PUBLIC_URL: 'https://crm.example.com' })
  nordlys = await service.company('Nordlys Robotics')
  await service.user('ben@example.com')
})
after(() => service.close())

const markOf = async (id: string) => {
  const { rows } = await sql<{
    mail: string | null
  }>`select mail from notifications where id = ${id}`.execute(service.context.db)
  return rows[0]?.mail
}

test('a notification that is wanted at once is one mail, as text and HTML', async () => {
  const ada = await service.user('ada@example.com')
  await sql`update users set name = 'Ada Löwenstein' where email = ${ada}`.execute(service.context.db)
  const id = await service.notify(ada, { company: nordlys })
  const [mail, ...others] = await service.deliver()
  assert.equal(others.length, 0)
  assert.equal(mail?.to, ada)
  const { headers, text, html } = mail ?? assert.fail()
  assert.equal(headers.from, 'Deal pipeline <crm@example.com>')
  assert.equal(headers.to, 'Ada Löwenstein <ada@example.com>')
  assert.match(headers.subject ?? '', /Nordlys Robotics/)
  assert.match(headers['message-id'] ?? '', /^<mail_\w+@crm\.example\.com>$/)
  assert.equal(headers['auto-submitted'], 'auto-generated')
  const url = `https://crm.example.com/companies/${nordlys}`
  assert.ok(text.startsWith(`${headers.subject}\n\nOpen: ${url}\n`), text)
  assert.ok(html.includes(`href="${url}"`) && html.includes('Nordlys Robotics'), html)
  assert.equal(await markOf(id), 'sent')
  assert.deepEqual(await service.deliver(), [], 'it is sent once')
})

test('what is off, was read, or is old is not mailed, and nothing is mailed to those who turned mail off', async () => {
  const [carl, dora, eve] = [
    await service.user('carl@example.com'),
    await service.user('dora@example.com', { notifications_enabled: false }),
    await service.user('eve@example.com'),
  ]
  await service.set(carl, { mail: { mentioned: 'off', deal_moved: 'now' } })
  await sql`update users set disabled_at = now() where email = ${eve}`.execute(service.context.db)
  const skipped = [
    await service.notify(carl, { kind: 'mentioned', company: nordlys }),
    await service.notify(carl, { kind: 'import_ended', company: nordlys }),
    await service.notify(carl, { company: nordlys, at: new Date(Date.now() - hours(25)) }),
    await service.notify(dora, { company: nordlys }),
    await service.notify(dora, { kind: 'note_added', company: nordlys }),
    await service.notify(eve, { company: nordlys }),
    await service.notify('nobody@example.com', { company: nordlys }),
  ]
  const read = await service.notify(carl, { company: nordlys })
  await sql`update notifications set read_at = now() where id = ${read}`.execute(service.context.db)
  const moved = await service.notify(carl, { kind: 'deal_moved', company: nordlys })
  const arrived = await service.deliver()
  assert.deepEqual(
    arrived.map(({ to }) => to),
    [carl],
  )
  assert.deepEqual(await Promise.all([...skipped, read, moved].map(markOf)), [
    ...skipped.map(() => 'skipped'),
    'skipped',
    'sent',
  ])
})

test('what is read, turned off, or no longer visible between queue and sending is not mailed', async () => {
  const fay = await service.user('fay@example.com')
  const gone = await service.company('Gone')
  await service.receiver.stop()
  const read = await service.notify(fay, { company: nordlys })
  await service.notify(fay, { kind: 'mentioned', company: nordlys })
  await service.notify(fay, { company: gone })
  await assert.rejects(service.deliver(), /refuses connections/)
  await sql`update notifications set done_at = now() where id = ${read}`.execute(service.context.db)
  await service.set(fay, { mail: { mentioned: 'off' } })
  assert.equal((await service.call('DELETE', `/api/companies/${gone}`)).status, 204)
  await service.receiver.start()
  await service.endPauses()
  assert.deepEqual(await service.deliver(), [])
  const mails = (await service.mails()).filter(({ user_email }) => user_email === fay)
  assert.equal(mails.length, 3)
  for (const { isSent, isWaiting, error } of mails)
    assert.deepEqual([isSent, isWaiting, error], [false, false, null])
})

test('titles and names add no headers, no links, and no HTML', async () => {
  const gil = await service.user('gil@example.com')
  const name = 'Gil "Boss"\r\nBcc: evil@example.com\r\n\r\n<b>Hi</b> 你好 \u202Egnp.exe'
  await sql`update users set name = ${name} where email = ${gil}`.execute(service.context.db)
  const title = 'Acme </a><script>alert(1)</script>\nBcc: evil@example.com\n\n-- \u2028X-Evil: 1 é 💡'
  const id = await service.company('Acme')
  await sql`update companies set name = ${title} where id = ${id}`.execute(service.context.db)
  await service.notify(gil, { company: id })
  const [mail] = await service.deliver()
  const { headers, text, html, raw } = mail ?? assert.fail()
  assert.deepEqual([headers.bcc, headers['x-evil']], [undefined, undefined])
  assert.match(headers.subject ?? '', /Acme <\/a><script>.*Bcc: evil@example\.com.*é 💡$/)
  assert.doesNotMatch(`${headers.subject}${headers.to}`, /[\p{Cc}\u2028\u202e]/u)
  assert.ok(!html.includes('<script>') && html.includes('&lt;script&gt;'), html)
  assert.equal(text.split('\n')[0], headers.subject)
  assert.ok(!/\P{ASCII}/u.test(raw), 'everything is encoded')
  assert.equal(mail?.to, gil)
})

test('a very long title is cut in the subject and in the text', async () => {
  const hal = await service.user('hal@example.com')
  const id = await service.company('x'.repeat(500))
  await service.notify(hal, { company: id })
  const [mail] = await service.deliver()
  assert.ok((mail?.headers.subject ?? '').length <= 150)
  assert.ok((mail?.text.split('\n')[0] ?? '').length <= 300)
})
