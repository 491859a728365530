import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { dayAt, isDigestDue } from './digest-day.ts'
import { hours, type MailService, mailService, minutes } from './mail.fixture.ts'

let service: MailService
let nordlys: string
before(async () => {
  service = await mailService({ PUBLIC_URL: 'https://crm.example.com', TIME_ZONE: 'Europe/Berlin' })
  nordlys = await service.company('Nordlys Robotics')
  await service.user('ben@example.com')
})
after(() => service.close())

/** The moments at which the digest of 8:00 arrives, on three days around a change of clocks. */
const MORNINGS: Record<string, string[]> = {
  // Clocks are set forward on March 8, and back on November 1.
  'America/Los_Angeles': [
    '2026-03-07T16:00:00Z',
    '2026-03-08T15:00:00Z',
    '2026-10-31T15:00:00Z',
    '2026-11-01T16:00:00Z',
  ],
  // 5:45 ahead, all year.
  'Asia/Kathmandu': [
    '2026-03-07T02:15:00Z',
    '2026-03-08T02:15:00Z',
    '2026-10-31T02:15:00Z',
    '2026-11-01T02:15:00Z',
  ],
  // Clocks are set back on April 5, and forward on September 27.
  'Pacific/Auckland': [
    '2026-04-03T19:00:00Z',
    '2026-04-04T20:00:00Z',
    '2026-09-25T20:00:00Z',
    '2026-09-26T19:00:00Z',
  ],
}

for (const [time_zone, mornings] of Object.entries(MORNINGS))
  test(`the digest arrives at 8:00 in ${time_zone}, through changes of clocks`, async () => {
    const user = await service.user(`${time_zone.replace('/', '-').toLowerCase()}@example.com`, { time_zone })
    for (const morning of mornings) {
      const eight = Date.parse(morning)
      await service.notify(user, { kind: 'note_added', company: nordlys, at: new Date(eight - hours(1)) })
      const at = async (time: number) =>
        (await service.deliver(new Date(time))).filter(({ to }) => to === user)
      assert.deepEqual(await at(eight - minutes(1)), [], `before ${morning}`)
      const [digest, ...more] = await at(eight)
      assert.equal(digest?.headers.subject, '1 update', morning)
      assert.equal(more.length, 0)
      await service.notify(user, { kind: 'note_added', company: nordlys, at: new Date(eight + hours(2)) })
      assert.deepEqual(await at(eight + hours(3)), [], 'one a day')
      await sql`update notifications set read_at = now() where user_email = ${user}`.execute(
        service.context.db,
      )
    }
  })

test('where clocks skip the hour of the digest, it is due at the next one', () => {
  const zone = 'America/Los_Angeles'
  assert.equal(isDigestDue(new Date('2026-03-08T09:59:00Z'), zone, 2), false)
  assert.equal(isDigestDue(new Date('2026-03-08T10:00:00Z'), zone, 2), true)
  assert.deepEqual(dayAt(new Date('2026-03-08T10:00:00Z'), zone), {
    date: '2026-03-08',
    end: Date.parse('2026-03-09T07:00:00Z'),
  })
})

test('a digest has overdue tasks, those of today, and what is new and unread', async () => {
  const ada = await service.user('ada@example.com', { time_zone: 'Asia/Kathmandu' })
  const eight = new Date('2026-05-05T02:15:00Z')
  await service.task(ada, 'Call <Nordlys>', { due_on: '2026-05-01' })
  await service.task(ada, 'Send the term sheet', { due_on: '2026-05-05' })
  await service.task(ada, 'Meet the founders', { due_at: new Date('2026-05-05T18:00:00Z') })
  await service.task(ada, 'Prepare the board meeting', { due_on: '2026-05-06' })
  await service.task(ada, 'After midnight', { due_at: new Date('2026-05-05T18:15:00Z') })
  const done = await service.task(ada, 'Done already', { due_on: '2026-05-05' })
  await sql`update tasks set done_at = now() where id = ${done}`.execute(service.context.db)
  const before = new Date(eight.getTime() - hours(2))
  for (const kind of ['note_added', 'deal_moved', 'task_due'])
    await service.notify(ada, { kind, company: nordlys, at: before })
  const read = await service.notify(ada, { kind: 'note_added', company: nordlys, at: before })
  await sql`update notifications set read_at = now() where id = ${read}`.execute(service.context.db)
  const [digest] = (await service.deliver(eight)).filter(({ to }) => to === ada)
  const { headers, text, html } = digest ?? assert.fail()
  assert.equal(headers.subject, '1 task overdue, 2 due today, 2 updates')
  const [body = ''] = text.split('\n-- \n')
  assert.match(
    body,
    /^Tuesday, May 5\n\nOverdue\n\n\* Call <Nordlys> \(May 1\)\n.*\n\nDue today\n\n\* Send the term sheet\n.*\n\* Meet the founders \(11:45\sPM\)\n.*\n\nNew\n\n\* .*Nordlys Robotics\n {2}https:\/\/crm\.example\.com\/companies\/\w+\n\* .*Nordlys Robotics.*\n/,
  )
  assert.doesNotMatch(text, /board meeting|After midnight|Done already/)
  assert.ok(html.includes('Call &lt;Nordlys&gt;') && html.includes('May 1'), html)
})

test('there is no digest without anything to say, and none of kinds that are off', async () => {
  const carl = await service.user('carl@example.com')
  const dora = await service.user('dora@example.com')
  const eve = await service.user('eve@example.com', { notifications_enabled: false })
  await service.set(dora, { mail: { task_overdue: 'off', note_added: 'off' } })
  const eight = new Date('2026-06-10T06:00:00Z')
  for (const user of [dora, eve]) {
    await service.task(user, 'Overdue', { due_on: '2026-06-01' })
    await service.notify(user, { kind: 'note_added', company: nordlys, at: new Date(eight.getTime() - 1) })
  }
  const to = (await service.deliver(eight)).map((mail) => mail.to)
  for (const user of [carl, dora, eve]) assert.ok(!to.includes(user), user)
  await service.notify(carl, { kind: 'note_added', company: nordlys, at: new Date(eight.getTime() + 1) })
  const later = await service.deliver(new Date(eight.getTime() + hours(2)))
  assert.ok(!later.some((mail) => mail.to === carl), 'it waits for the next morning')
  const next = await service.deliver(new Date(eight.getTime() + hours(24)))
  assert.ok(next.some((mail) => mail.to === carl))
})

test('a digest that nobody needs any more is not sent', async () => {
  const fay = await service.user('fay@example.com')
  const eight = new Date('2026-07-10T06:00:00Z')
  const id = await service.notify(fay, {
    kind: 'deal_moved',
    company: nordlys,
    at: new Date(eight.getTime() - 1),
  })
  await service.receiver.stop()
  await assert.rejects(service.deliver(eight))
  await sql`update notifications set read_at = now() where id = ${id}`.execute(service.context.db)
  await service.receiver.start()
  await service.endPauses()
  assert.ok(!(await service.deliver(eight)).some(({ to }) => to === fay))
})

test('users choose the hour, and a stored zone that is none counts as that of the workspace', async () => {
  const gil = await service.user('gil@example.com', { time_zone: 'Mars/Olympus' })
  await service.set(gil, { digest_hour: 17 })
  const five = Date.parse('2026-08-10T15:00:00Z')
  await service.notify(gil, { kind: 'deal_moved', company: nordlys, at: new Date(five - minutes(5)) })
  const at = async (time: number) => (await service.deliver(new Date(time))).filter(({ to }) => to === gil)
  assert.deepEqual(await at(five - 1), [])
  assert.equal((await at(five)).length, 1)
})

test('long lists are cut', async () => {
  const hal = await service.user('hal@example.com')
  for (let index = 0; index < 60; index++) await service.task(hal, `Task ${index}`, { due_on: '2026-09-01' })
  const [digest] = (await service.deliver(new Date('2026-09-02T06:00:00Z'))).filter(({ to }) => to === hal)
  assert.equal(digest?.headers.subject, '60 tasks overdue')
  assert.match(digest?.text ?? '', /\* and 10 more/)
})
