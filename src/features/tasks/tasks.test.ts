import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { dayFromToday, ok, refused, tasksOf } from './tasks.fixture.ts'

let api: TestApp
before(async () => {
  api = await testApp()
  for (const email of [ada, ben]) ok(await api.call('GET', `/api/users/${email}`))
})
after(() => api.close())

const ben = 'ben@example.com'
const {
  bulk,
  company,
  deal,
  finish,
  list,
  patch,
  person,
  read,
  refuse,
  reopen,
  task,
  titles,
  undo,
  activity,
} = tasksOf(() => api)

test('a task is created with a title alone, for its author', async () => {
  const created = await task({ title: '  Call   Ingrid ' })
  assert.deepEqual(created, {
    ...{ id: created.id, title: 'Call Ingrid', due_on: null, due_at: null, assignee_email: ada, about: [] },
    ...{ repeat: null, unless_contact_days: null, last_contact_at: null, done_at: null, done_by: null },
    ...{ author_email: ada, created_at: created.created_at, updated_at: created.created_at },
  })
  assert.match(created.id, /^tsk_/)
  assert.deepEqual(await read(created.id), created)
  assert.deepEqual(await activity(created.id), ['task_created'])
  assert.equal((await task({ title: 'Nobody', assignee_email: null })).assignee_email, null)
})

test('wrong input is refused with the field, the problem, and what is allowed', async () => {
  const title = 'Wrong'
  for (const [fields, expected] of [
    [{ due_on: '0001-01-01' }, 'due_on must be in the years 1900 to 2200, but is 0001-01-01.'],
    [{ due_at: '9999-01-01T00:00:00Z' }, /^due_at must be in the years 1900 to 2200, but is 9999-/],
    [{ due_on: '10000-01-01' }, /^due_on must be a date such as/],
    [{ due_on: '2026-02-30' }, /^due_on must be a date such as/],
    [{ repeat: 'daily' }, 'repeat needs due_on or due_at: the first time it is due.'],
    [{ repeat: 'yearly', due_on: '2026-01-01' }, /^repeat must be one of daily, weekly, monthly, quarterly/],
    [{ due_on: '2026-01-01', due_at: '2026-01-01T00:00:00Z' }, /^due_on and due_at must not both be set/],
    [{ unless_contact_days: 30 }, /^unless_contact_days needs a company, a deal, or a person in about/],
    [{ unless_contact_days: 0 }, /^unless_contact_days must be/],
    [{ unless_contact_days: 30, repeat: 'daily', due_on: '2026-01-01' }, /must not be set with repeat/],
    [{ unless_contact_days: 30, due_at: '2026-01-01T00:00:00Z' }, /must not be set with due_at/],
    [{ assignee_email: 'nobody@example.com' }, /^assignee_email must be the email address of a user/],
    [{ about: [{ type: 'company', id: 'cmp_none' }] }, /^about\[0\]\.id must be the id of a company/],
    [{ about: Array(51).fill({ type: 'company', id: 'cmp_none' }) }, /^about must/],
    [{ title: ' ' }, /^title must/],
    [{ done_at: '2026-01-01T00:00:00Z' }, /done_at/],
  ] as const) {
    const details = await refuse({ title, ...fields })
    if (typeof expected === 'string') assert.equal(details, expected)
    else assert.match(details, expected)
  }
  const thesis = ok(await api.call('POST', '/api/theses', { code: 'TASKS', title: 'Tasks' })).id
  const about = [{ type: 'thesis', id: thesis }]
  assert.match(await refuse({ title, about, unless_contact_days: 30 }), /needs a company/)
  assert.deepEqual(await titles('search=wrong'), [])
})

test('lists are in the order of due days, and filter by due, assignee, and what tasks are about', async () => {
  const id = await company('Sorted')
  const about = [{ type: 'company', id }]
  const names = async (query = '') => titles(`about=${id}&${query}`)
  await task({ title: 'none', about })
  await task({ title: 'later', about, due_on: dayFromToday(8) })
  await task({ title: 'week', about, due_on: dayFromToday(7), assignee_email: ben })
  await task({ title: 'today', about, due_on: dayFromToday(0), assignee_email: null })
  await task({ title: 'overdue', about, due_on: dayFromToday(-1), assignee_email: ben })
  await task({ title: 'passed', about, due_at: new Date(Date.now() - 60_000).toISOString() })
  await task({ title: 'deal', about: [{ type: 'deal', id: await deal(id) }], due_on: dayFromToday(2) })
  const done = await task({ title: 'done', about, due_on: dayFromToday(1) })
  ok(await finish(done.id))
  const all = await names()
  assert.deepEqual(all.toSorted(), ['deal', 'later', 'none', 'overdue', 'passed', 'today', 'week'])
  assert.deepEqual(all.slice(3), ['deal', 'week', 'later', 'none'])
  assert.deepEqual((await names('due=overdue')).toSorted(), ['overdue', 'passed'])
  for (const due of ['today', 'later', 'none']) assert.deepEqual(await names(`due=${due}`), [due])
  assert.deepEqual(await names('due=week'), ['deal', 'week'])
  assert.deepEqual(await names('due=none&due=today'), ['today', 'none'])
  assert.deepEqual(await names('done=true'), ['done'])
  assert.deepEqual(await names(`assignee=${ben}`), ['overdue', 'week'])
  assert.deepEqual(await names(`assignee=none&assignee=${ben}`), ['overdue', 'today', 'week'])
  assert.deepEqual(await titles(`about=${id}&assignee=me`, ben), ['overdue', 'week'])
  assert.deepEqual(await names('search=ERD%20ov'), ['overdue'])
  const filter = encodeURIComponent(JSON.stringify({ field: 'due_on', op: 'eq', value: 'today' }))
  assert.deepEqual(await names(`filter=${filter}&sort=-due_on`), ['today'])
  assert.deepEqual((await names('sort=-due_on:nulls_last')).slice(0, 3), ['later', 'week', 'deal'])
  const { pagination } = await list(`about=${id}&limit=2`)
  assert.deepEqual([pagination.total, pagination.hasMore], [7, true])
  assert.deepEqual(await titles('about=cmp_none'), [])
})

test('days are those of the caller', async () => {
  const id = await company('Zones')
  const zone = async (time_zone: string | null) =>
    ok(await api.call('PATCH', `/api/users/${ada}`, { preferences: { time_zone } }))
  // These are on different days at any moment.
  await zone('Pacific/Kiritimati')
  const created = await task({
    ...{ title: 'Reach out', about: [{ type: 'company', id }], unless_contact_days: 1 },
  })
  assert.deepEqual(await titles(`about=${id}&due=week`), ['Reach out'])
  await zone('Pacific/Pago_Pago')
  const other = await task({
    ...{ title: 'Elsewhere', about: [{ type: 'company', id }], unless_contact_days: 1 },
  })
  assert.ok(other.due_on < created.due_on, `${other.due_on} ${created.due_on}`)
  await zone(null)
})

test('a change of a field keeps the others, and a day replaces a time', async () => {
  const created = await task({ title: 'Change', due_on: '2026-05-01', repeat: 'monthly' })
  const changed = ok(await patch(created.id, { due_at: '2026-05-02T10:00:00+02:00' }))
  assert.deepEqual([changed.due_on, changed.due_at], [null, '2026-05-02T08:00:00.000Z'])
  assert.equal(ok(await patch(created.id, { due_on: '2026-05-03' })).due_at, null)
  assert.match(refused(await patch(created.id, { due_on: null })), /^repeat needs/)
  assert.equal(ok(await patch(created.id, { due_on: null, repeat: null })).due_on, null)
  const history = (await api.call('GET', `/api/tasks/${created.id}/history?field=due_on`)).body.data
  assert.deepEqual(history.map(({ from, to }: { from: string; to: string }) => [from, to])[0], [
    '2026-05-03',
    null,
  ])
  const same = await patch(created.id, { title: 'Change' })
  assert.equal(same.headers['x-action-id'], undefined)
  const about = [{ type: 'person', id: await person({ name: 'About' }) }]
  const linked = await patch(created.id, { about, unless_contact_days: 10 })
  assert.deepEqual([ok(linked).about[0].name, ok(linked).due_on], ['About', dayFromToday(10)])
  assert.match(refused(await patch(created.id, { about: [] })), /^unless_contact_days needs/)
  await undo(linked)
  assert.deepEqual((await read(created.id)).about, [])
})

test('a finished task can be opened again, and both are recorded', async () => {
  const { id } = await task({ title: 'Once' })
  const done = await finish(id, ben)
  assert.deepEqual([ok(done).done_by, ok(done).next_id], [ben, null])
  assert.ok(Date.parse(ok(done).done_at) <= Date.now())
  const again = await finish(id)
  assert.deepEqual([ok(again).done_by, again.headers['x-action-id']], [ben, undefined])
  const opened = await reopen(id)
  assert.deepEqual([ok(opened).done_at, ok(opened).done_by], [null, null])
  assert.equal((await reopen(id)).headers['x-action-id'], undefined)
  await undo(opened)
  assert.equal((await read(id)).done_by, ben)
  assert.deepEqual(await activity(id), ['task_created', 'task_done', 'task_reopened', 'task_done'])
})

test('finishing a repeating task creates the next one, and an undo takes both back', async () => {
  const id = await company('Monthly')
  const created = await task({
    ...{ title: 'Numbers', about: [{ type: 'company', id }], assignee_email: ben, repeat: 'monthly' },
    due_on: '2020-01-31',
  })
  const done = await finish(created.id)
  const next = await read(ok(done).next_id)
  assert.deepEqual([next.about[0].id, next.assignee_email, next.author_email], [id, ben, ada])
  assert.ok(next.due_on > dayFromToday(0) && next.due_on <= dayFromToday(62), next.due_on)
  assert.equal(next.repeat, 'monthly')
  assert.deepEqual([ok(done).next_due_on, ok(done).next_due_at], [next.due_on, null])
  const { repeat } = await read(created.id)
  assert.equal(repeat, null)
  await undo(done)
  const { done_at, repeat: restored } = await read(created.id)
  assert.deepEqual([done_at, restored], [null, 'monthly'])
  assert.equal((await api.call('GET', `/api/tasks/${next.id}`)).status, 404)
  assert.deepEqual(await titles(`about=${id}`), ['Numbers'])
})

test('many tasks are reassigned, postponed, and finished at once, as one action', async () => {
  const late = await task({ title: 'Late', due_on: dayFromToday(-20) })
  const soon = await task({ title: 'Soon', due_on: dayFromToday(3) })
  const timed = await task({ title: 'Timed', due_at: `${dayFromToday(3)}T09:15:00Z` })
  const none = await task({ title: 'Weekly', repeat: 'weekly', due_on: dayFromToday(1) })
  const ids = [late.id, soon.id, timed.id, none.id]
  const postponed = await bulk([...ids, late.id], { postpone_days: 7 })
  assert.equal(ok(postponed).changed, 4)
  const dues = async () =>
    Promise.all(ids.map((id) => read(id).then(({ due_on, due_at }) => due_on ?? due_at.slice(0, 16))))
  assert.deepEqual(await dues(), [
    ...[dayFromToday(7), dayFromToday(10), `${dayFromToday(10)}T09:15`, dayFromToday(8)],
  ])
  const reassigned = await bulk(ids, { assignee_email: ben })
  assert.deepEqual([ok(reassigned).changed, ok(reassigned).action_id], [4, reassigned.headers['x-action-id']])
  assert.deepEqual(ok(await bulk(ids, { assignee_email: ben })), {
    changed: 0,
    unchanged: 4,
    action_id: null,
  })
  const done = await bulk(ids, { done: true })
  assert.equal(ok(done).changed, 4)
  assert.equal((await titles(`assignee=${ben}&search=weekly`)).length, 1)
  await undo(done)
  await undo(reassigned)
  await undo(postponed)
  assert.deepEqual(await dues(), [
    ...[dayFromToday(-20), dayFromToday(3), `${dayFromToday(3)}T09:15`, dayFromToday(1)],
  ])
  assert.equal((await titles('search=weekly&assignee=me')).length, 1)
})

test('a bulk change that is wrong for one task changes none', async () => {
  const one = await task({ title: 'One', due_on: dayFromToday(1) })
  const repeated = await task({ title: 'Repeated', due_on: dayFromToday(1), repeat: 'daily' })
  const ids = [one.id, repeated.id]
  assert.match(refused(await bulk(ids, { due_on: null })), /^repeat needs .*Repeated\)$/)
  assert.match(
    refused(await bulk([one.id, 'tsk_none'], { done: true })),
    /^ids must be ids of tasks.*tsk_none/,
  )
  assert.match(refused(await bulk(ids, { due_on: dayFromToday(1), postpone_days: 1 })), /must not both/)
  assert.match(refused(await bulk(ids, {})), /changes/)
  assert.match(refused(await bulk(ids, { done: false })), /done/)
  assert.match(refused(await bulk(ids, { postpone_days: 3651 })), /postpone_days/)
  assert.match(refused(await bulk([], { done: true })), /ids/)
  const far = await task({ title: 'Far', due_on: '2200-12-01' })
  assert.match(refused(await bulk([far.id], { postpone_days: 60 })), /years 1900 to 2200/)
  assert.equal((await read(one.id)).due_on, dayFromToday(1))
})

test('tasks are exported as a CSV file', async () => {
  const id = await company('=Exported')
  await task({ title: '=SUM(A1)', about: [{ type: 'company', id }], due_on: '2026-04-01' })
  const { body } = await api.call('GET', `/api/tasks/export?about=${id}`)
  const [header, row] = body.split('\r\n')
  assert.match(header ?? '', /^id,title,due_on,due_at,assignee_email,about,about_ids,repeat,/)
  assert.match(row ?? '', /^tsk_\w+,'=SUM\(A1\),2026-04-01,,ada@example\.com,'=Exported,cmp_/)
})
