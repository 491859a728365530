import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { testServer } from '#src/testing/database.ts'
import { ADA, about, BEN, EVA, type Fields, peopleOf, ZOE } from './notifications.fixture.ts'
import { remind } from './reminders.ts'

let api: TestApp
const { addUsers, company, create, list, send, told } = peopleOf(() => api)
before(async () => {
  api = await testApp({ WORKER: 'off', TIME_ZONE: 'Europe/Berlin' })
  await addUsers()
})
after(() => api.close())

const logged: Fields[] = []
const log = { error: (entry: Fields) => logged.push(entry) } as unknown as Logger
const remindAt = (time: string) =>
  remind(
    { db: api.context.backgroundDb, log, timeZone: 'Europe/Berlin' },
    new Date(time),
    new AbortController().signal,
  )
const setZone = (email: string, zone: string) =>
  sql`update users set preferences = jsonb_set(preferences::jsonb, '{time_zone}', ${JSON.stringify(zone)}::jsonb)::json
    where email = ${email}`.execute(api.context.db)

/** Whether the reminder of a task of this day is sent at a time, and not a second earlier. */
async function tellsAt(email: string, time: string): Promise<boolean> {
  const previous = new Date(Date.parse(time) - 1000).toISOString()
  await remindAt(previous)
  const before = await told(email)
  await remindAt(time)
  const after = await told(email)
  return before.length === 0 && after.length === 1
}

for (const [zone, cases] of Object.entries({
  // Clocks are set forward on March 8, and back on November 1.
  'America/Los_Angeles': [
    ['2026-03-07', '2026-03-07T16:00:00Z', '2026-03-08T15:00:00Z'],
    ['2026-03-08', '2026-03-08T15:00:00Z', '2026-03-09T15:00:00Z'],
    ['2026-10-31', '2026-10-31T15:00:00Z', '2026-11-01T16:00:00Z'],
    ['2026-11-01', '2026-11-01T16:00:00Z', '2026-11-02T16:00:00Z'],
  ],
  // 5:45 ahead of UTC, all year.
  'Asia/Kathmandu': [['2026-03-29', '2026-03-29T02:15:00Z', '2026-03-30T02:15:00Z']],
  // Set back on April 5, and forward on September 27.
  'Pacific/Auckland': [
    ['2026-04-04', '2026-04-03T19:00:00Z', '2026-04-04T20:00:00Z'],
    ['2026-04-05', '2026-04-04T20:00:00Z', '2026-04-05T20:00:00Z'],
    ['2026-09-27', '2026-09-26T19:00:00Z', '2026-09-27T19:00:00Z'],
  ],
  // No zone, so that of the workspace counts.
  'Mars/Olympus': [['2026-03-29', '2026-03-29T06:00:00Z', '2026-03-30T06:00:00Z']],
}))
  test(`tasks are due at 8:00 of their day, and overdue at 8:00 of the next one, in ${zone}`, async () => {
    await setZone(EVA, zone)
    for (const [due_on, due, overdue] of cases as [string, string, string][]) {
      const task = await create('/api/tasks', { title: 'Call', due_on, assignee_email: EVA }, EVA)
      assert.ok(await tellsAt(EVA, due), `${due_on} due`)
      assert.ok(await tellsAt(EVA, overdue), `${due_on} overdue`)
      await remindAt(overdue)
      await remindAt(new Date(Date.parse(overdue) + 3 * 86_400_000).toISOString())
      assert.deepEqual(await told(EVA), [], 'once')
      await send('PUT', `/api/tasks/${task.id}/done`, undefined, EVA)
    }
    assert.deepEqual(logged, [])
  })

test('a task with a time is due at that time, and overdue at the hour of the person on the next day', async () => {
  await setZone(BEN, 'America/Los_Angeles')
  await send('PATCH', '/api/notifications/settings', { digest_hour: 6 }, BEN)
  const id = await company('Loomworks')
  const due_at = '2026-03-07T23:30:00.000Z'
  await create('/api/tasks', { title: 'Send the terms', due_at, about: about(id) }, BEN)
  assert.ok(await tellsAt(BEN, due_at))
  const day = '2026-03-08T13:00:00Z'
  await remindAt(new Date(Date.parse(day) - 1000).toISOString())
  assert.deepEqual(await told(BEN), [])
  await remindAt(day)
  const { data } = await list(BEN)
  assert.deepEqual(
    [data[0].kind, data[0].text, data[0].actor_email],
    ['task_overdue', 'Your task is overdue: Send the terms (Loomworks)', null],
  )
  assert.deepEqual(data[0].details, { due_at })
  await told(BEN)
})

test('what is overdue already is told once, and what has been due for long is not told', async () => {
  await create('/api/tasks', { title: 'Old', due_on: '2025-05-01' }, ZOE)
  await create('/api/tasks', { title: 'New', due_on: '2025-05-20' }, ZOE)
  await create('/api/tasks', { title: 'None' }, ZOE)
  await create('/api/tasks', { title: 'Later', due_on: '2025-05-24' }, ZOE)
  await remindAt('2025-05-23T09:00:00Z')
  assert.deepEqual(await told(ZOE), ['Your task is overdue: New'])
})

test('a reminder goes when the task is done, and comes again when its day changes', async () => {
  const task = await create('/api/tasks', { title: 'Move', due_on: '2025-06-02' }, ZOE)
  await remindAt('2025-06-02T09:00:00Z')
  assert.equal((await list(ZOE)).unread, 1)
  await send('PUT', `/api/tasks/${task.id}/done`, undefined, ZOE)
  assert.equal((await list(ZOE)).unread, 0)
  await send('DELETE', `/api/tasks/${task.id}/done`, undefined, ZOE)
  assert.equal((await list(ZOE)).unread, 1)
  await send('PATCH', `/api/tasks/${task.id}`, { due_on: '2025-06-03' }, ZOE)
  await remindAt('2025-06-03T09:00:00Z')
  assert.deepEqual(await told(ZOE), ['Your task is due: Move', 'Your task is due: Move'])
  await send('DELETE', `/api/tasks/${task.id}`, undefined, ZOE)
  await remindAt('2025-06-04T09:00:00Z')
  assert.deepEqual(await told(ZOE), [])
})

test('a contact resets a reminder that a task sends unless there is one', async () => {
  const id = await company('Keep in touch')
  const task = { title: 'Say hello', due_on: '2025-07-01', unless_contact_days: 10, about: about(id) }
  await create('/api/tasks', task, ZOE)
  await create(
    '/api/notes',
    { kind: 'call', body: 'Hello', happened_at: '2025-06-28T10:00:00Z', about: about(id) },
    ZOE,
  )
  await remindAt('2025-07-01T09:00:00Z')
  assert.deepEqual(await told(ZOE), [])
  await remindAt('2025-07-08T09:00:00Z')
  assert.deepEqual(await told(ZOE), ['Your task is due: Say hello (Keep in touch)'])
})

test('a malformed task stops no other', async () => {
  const { db } = api.context
  const insert = (id: string, title: string, due: string) =>
    sql`insert into tasks (id, title, due_on, assignee_email, created_at, updated_at)
      values (${id}, ${title}, ${due}, ${ADA}, now(), now())`.execute(db)
  await insert('tsk_0', 'Zero', '0001-01-01')
  await insert('tsk_1', 'Bad', '2025-08-01')
  await insert('tsk_2', 'Infinite', 'infinity')
  await insert('tsk_3', 'Good', '2025-08-01')
  // Stands for whatever may be wrong with one task.
  await sql`alter table notifications add constraint refuse check (subject_id <> 'tsk_1')`.execute(db)
  await remindAt('2025-08-01T09:00:00Z')
  assert.deepEqual(await told(ADA), ['Your task is due: Good'])
  assert.deepEqual(
    logged.map(({ task }) => task),
    ['tsk_1'],
  )
  await sql`alter table notifications drop constraint refuse`.execute(db)
  await remindAt('2025-08-01T09:00:10Z')
  assert.deepEqual(await told(ADA), ['Your task is due: Bad'])
})

test('two processes write each of many reminders once', { skip: !testServer }, async () => {
  await userWithRole(api, 'many@example.com', 'member')
  await sql`
    insert into tasks (id, title, due_on, assignee_email, created_at, updated_at)
    select 'tsk_many' || n, 'Task ' || n, '2024-01-10', 'many@example.com', now(), now()
    from generate_series(1, 3000) n`.execute(api.context.db)
  const times = ['2024-01-10T09:00:00Z', '2024-01-10T09:00:01Z']
  await Promise.all([...times, ...times].map(remindAt))
  const { rows } = await sql<{ n: number; tasks: number }>`
    select count(*)::int as n, count(distinct subject_id)::int as tasks from notifications
    where user_email = 'many@example.com'`.execute(api.context.db)
  assert.deepEqual(rows, [{ n: 3000, tasks: 3000 }])
})

test('disabled users are not reminded', async () => {
  await userWithRole(api, 'gone@example.com', 'member')
  await create('/api/tasks', { title: 'x', due_on: '2025-09-01', assignee_email: 'gone@example.com' })
  await sql`update users set disabled_at = now() where email = 'gone@example.com'`.execute(api.context.db)
  await remindAt('2025-09-01T09:00:00Z')
  const { rows } = await sql`
    select from notifications where user_email = 'gone@example.com' and kind = 'task_due'`.execute(
    api.context.db,
  )
  assert.equal(rows.length, 0)
})
