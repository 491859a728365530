import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { ADA, about, as, BEN, EVA, type Fields, peopleOf, ZOE } from './notifications.fixture.ts'

let api: TestApp
const { addUsers, company, create, list, send, told } = peopleOf(() => api)
before(async () => {
  api = await testApp({ WORKER: 'off', ENFORCE_ROLES: 'true', ADMIN_EMAILS: ADA })
  await addUsers()
})
after(() => api.close())

const forgetAll = async () => {
  for (const email of [ADA, BEN, EVA, ZOE]) await told(email)
}
const follow = (path: string, email: string) => send('PUT', `${path}/follow`, {}, email)

test('who is mentioned in a note is told once, and follows its records', async () => {
  const nordlys = await company('Nordlys Robotics')
  const note = { body: 'Ask @ben', about: about(nordlys), mentions: [BEN, ADA] }
  const { id } = await create('/api/notes', note)
  const { data, unread, next } = await list(BEN)
  assert.deepEqual([data.length, unread, next], [1, 1, null])
  const [{ id: _id, action_id, at, ...notification }] = data
  assert.match(action_id, /^ax_/)
  assert.deepEqual(notification, {
    ...{ kind: 'mentioned', read_at: null, done_at: null, actor_email: ADA, count: 1, details: {} },
    about: [{ type: 'company', id: nordlys, name: 'Nordlys Robotics' }],
    subject: { type: 'note', id, name: 'Ask @ben' },
    text: 'Ada mentioned you in a note about Nordlys Robotics',
  })
  assert.ok(Date.now() - Date.parse(at) < 60_000)
  assert.deepEqual(await told(ADA), [])
  const { data: following } = await send('GET', `/api/companies/${nordlys}/follow`, undefined, BEN)
  assert.deepEqual(following, { following: true, reason: 'mentioned', followers: [ADA, BEN] })

  await send('PATCH', `/api/notes/${id}`, { mentions: [BEN, ADA, EVA] })
  await send('PATCH', `/api/notes/${id}`, { body: 'Ask @ben and @eva', mentions: [BEN, EVA] })
  assert.deepEqual(await told(BEN), ['Ada mentioned you in a note about Nordlys Robotics'])
  assert.deepEqual(await told(EVA), ['Ada mentioned you in a note about Nordlys Robotics'])
})

test('a mention that is taken back before it is told is not told, and one that is added is told once', async () => {
  const id = await company('Volta')
  const note = await create('/api/notes', { body: 'x', about: about(id), mentions: [BEN] })
  await send('PATCH', `/api/notes/${note.id}`, { mentions: [EVA] })
  assert.deepEqual(await told(BEN), [])
  assert.deepEqual(await told(EVA), ['Ada mentioned you in a note about Volta'])
})

test('a note about followed records is told to their followers, without its author and those it mentions', async () => {
  const id = await company('Halden', { owner_email: ZOE })
  const deal = await create('/api/dealflow', { company_id: id })
  await follow(`/api/companies/${id}`, BEN)
  await follow(`/api/companies/${id}`, EVA)
  await follow(`/api/companies/${id}`, ADA)
  await forgetAll()
  const note = await create('/api/notes', { body: 'x', about: about(deal.id, 'deal'), mentions: [EVA] })
  await create('/api/notes', { kind: 'call', body: 'x', about: about(id) }, BEN)
  await create('/api/notes', { body: 'A reply', parent_id: note.id }, BEN)
  const text = 'Ada wrote a note about Halden'
  const [call, reply] = ['Ben recorded a call about Halden', 'Ben replied to a note about Halden']
  assert.deepEqual(await told(ZOE), [reply, call, text])
  assert.deepEqual(await told(BEN), [text])
  assert.deepEqual(await told(EVA), [reply, call, 'Ada mentioned you in a note about Halden'])
  assert.deepEqual(await told(ADA), [reply, call])
})

test('the author of a note gets one notification of a reply', async () => {
  const id = await company('Fjord')
  const note = await create('/api/notes', { body: 'x', about: about(id) }, EVA)
  await send('DELETE', `/api/companies/${id}/follow`, undefined, EVA)
  await create('/api/notes', { body: 'A reply', parent_id: note.id }, BEN)
  await create('/api/notes', { body: 'My reply', parent_id: note.id }, EVA)
  assert.deepEqual(await told(EVA), ['Ben replied to a note about Fjord'])
})

test('a task is told to its assignee, unless it is their own', async () => {
  const id = await company('Aker')
  const task = await create('/api/tasks', { title: 'Call Aker', assignee_email: BEN, about: about(id) })
  await create('/api/tasks', { title: 'Mine', about: about(id) })
  assert.deepEqual(await told(BEN), ['Ada assigned you a task: Call Aker'])
  assert.deepEqual(await told(ADA), [])
  const { data } = await send('GET', `/api/companies/${id}/follow`, undefined, BEN)
  assert.deepEqual([data.following, data.reason], [true, 'assigned'])
  await send('PATCH', `/api/tasks/${task.id}`, { assignee_email: EVA })
  await send('PATCH', `/api/tasks/${task.id}`, { title: 'Call them' })
  assert.deepEqual(await told(EVA), ['Ada assigned you a task: Call them (Aker)'])
  await send('PATCH', `/api/tasks/${task.id}`, { assignee_email: EVA, title: 'Ring them' }, EVA)
  await send('PATCH', `/api/tasks/${task.id}`, { assignee_email: ZOE })
  await send('PATCH', `/api/tasks/${task.id}`, { assignee_email: EVA })
  assert.deepEqual(await told(ZOE), [], 'it is no longer theirs')
  await send('PUT', `/api/tasks/${task.id}/done`, undefined, EVA)
  await forgetAll()
})

test('the next task of a repeating one, and a task that is done by then, are not told', async () => {
  const repeating = { title: 'Report', due_on: '2026-01-01', repeat: 'weekly', assignee_email: BEN }
  const task = await create('/api/tasks', repeating)
  assert.deepEqual(await told(BEN), ['Ada assigned you a task: Report'])
  await send('PUT', `/api/tasks/${task.id}/done`)
  const other = await create('/api/tasks', { title: 'Short', assignee_email: BEN })
  await send('PUT', `/api/tasks/${other.id}/done`)
  assert.deepEqual(await told(BEN), [])
})

test('500 tasks that are reassigned at once are one notification', async () => {
  const { rows } = await sql<{ ids: string[] }>`
    with added as (
      insert into tasks (id, title, assignee_email, author_email, created_at, updated_at)
      select 'tsk_' || n, 'Task ' || n, ${ADA}, ${ADA}, now(), now() from generate_series(1, 500) n returning id)
    select array_agg(id) as ids from added`.execute(api.context.db)
  const ids = rows[0]?.ids
  const { data } = await send('PATCH', '/api/tasks', { ids, changes: { assignee_email: EVA } })
  assert.equal(data.changed, 500)
  const { data: inbox, unread } = await list(EVA)
  assert.deepEqual([inbox.length, unread, inbox[0].count], [1, 1, 500])
  assert.deepEqual(await told(EVA), ['Ada assigned you 500 tasks'])
})

test('tasks of a colleague who was disabled are returned with a notice', async () => {
  await userWithRole(api, 'leo@example.com', 'member')
  await create('/api/tasks', { title: 'One', assignee_email: 'leo@example.com' }, BEN)
  await create('/api/tasks', { title: 'Two', assignee_email: 'leo@example.com' }, ZOE)
  await create('/api/tasks', { title: 'Three', assignee_email: 'leo@example.com' }, ZOE)
  await forgetAll()
  await send('PATCH', '/api/users/leo@example.com', { disabled: true })
  assert.deepEqual(await told(BEN), ['Leo no longer has access, so this task is yours: One'])
  assert.deepEqual(await told(ZOE), ['Leo no longer has access, so 2 tasks are yours'])
  // Nor are disabled users told anything.
  const note = { body: 'x', about: about(await company('Nobody')), mentions: ['leo@example.com'] }
  await create('/api/notes', note)
  await told(ADA)
  const { rows } = await sql<{ kind: string }>`
    select kind from notifications where user_email = 'leo@example.com'`.execute(api.context.db)
  assert.deepEqual(rows, [{ kind: 'assigned' }, { kind: 'assigned' }, { kind: 'assigned' }])
})

test('a stage change is told to the owner and the followers of the deal and of its company', async () => {
  const id = await company('Loomworks', { owner_email: ZOE })
  const deal = await create('/api/dealflow', { company_id: id, owner_email: BEN })
  await follow(`/api/dealflow/${deal.id}`, EVA)
  await send('PATCH', `/api/dealflow/${deal.id}`, { stage: 'due_diligence', probability: 50 })
  const text = 'Ada moved the deal of Loomworks from Initial to Due diligence'
  const [mine] = (await list(BEN)).data
  assert.deepEqual(mine.details, { from: 'initial', to: 'due_diligence' })
  assert.deepEqual(mine.about, [{ type: 'deal', id: deal.id, name: 'Loomworks' }])
  for (const email of [BEN, EVA, ZOE]) assert.deepEqual(await told(email), [text], email)
  await send('PATCH', `/api/dealflow/${deal.id}`, { stage: 'initial' }, BEN)
  await send('PATCH', `/api/dealflow/${deal.id}`, { probability: 60 })
  assert.deepEqual(await told(BEN), [])
  for (const email of [EVA, ZOE])
    assert.deepEqual(await told(email), ['Ben moved the deal of Loomworks from Due diligence to Initial'])
})

test('who is asked to vote on an open decision is told', async () => {
  const id = await company('Kite')
  const decision = await create('/api/decisions', { company_id: id, asked: [BEN, ADA] })
  await create('/api/decisions', { company_id: id, asked: [BEN], outcome: 'pass' })
  assert.deepEqual(await told(BEN), ['Ada asked for your vote on Kite'])
  await send('PATCH', `/api/decisions/${decision.id}`, { asked: [BEN, EVA] })
  assert.deepEqual(await told(EVA), ['Ada asked for your vote on Kite'])
  await send('PATCH', `/api/decisions/${decision.id}`, { asked: [BEN, EVA, ZOE], outcome: 'track' })
  for (const email of [ADA, BEN, ZOE]) assert.deepEqual(await told(email), [], email)
})

test('an import that has ended is told to who started it, and its notes once to each follower', async () => {
  const id = await company('Imported', { owner_email: BEN })
  await forgetAll()
  const row = (n: number) => `,note,Text ${n},,${id},,team,,${n === 0 ? EVA : ''}\n`
  const header = 'id,kind,body,happened_at,about_ids,updated_at,visibility,author_email,mentions\n'
  const { status } = await api.call('POST', '/api/notes/import', undefined, {
    payload: header + [0, 1, 2].map(row).join(''),
    headers: { 'content-type': 'text/csv', 'x-user-email': ADA },
  })
  assert.equal(status, 200)
  assert.deepEqual(await told(BEN), ['Ada wrote 3 notes'])
  assert.deepEqual(await told(EVA), ['Ada mentioned you in a note about Imported'])
  const [ended] = (await list(ADA)).data
  assert.deepEqual(ended.details, { type: 'note', state: 'completed' })
  assert.deepEqual(await told(ADA), ['Your import of notes is complete'])
  assert.deepEqual((await list(ADA)).data, [])
})

test('a bulk action that has ended is told to who started it, once for each attempt', async () => {
  const { db } = api.context
  const id = newId('ba')
  const insert = (values: Fields) =>
    sql`insert into bulk_actions (id, action_type, status, priority, total_companies, user_email, created_at, updated_at)
      values (${id}, 'llm_score', ${values.status}, 50, 12, ${BEN}, now(), now())`.execute(db)
  const set = (status: string, attempt: number) =>
    sql`update bulk_actions set status = ${status}, attempt = ${attempt} where id = ${id}`.execute(db)
  await insert({ status: 'running' })
  assert.deepEqual(await told(BEN), [])
  await set('failed', 1)
  await set('failed', 1)
  assert.deepEqual(await told(BEN), ['Your scoring of 12 companies failed'])
  await set('running', 2)
  await set('completed', 2)
  assert.deepEqual(await told(BEN), ['Your scoring of 12 companies is complete'])
  assert.deepEqual(await told(ADA), [])
})

test('undoing a note takes the notification about it away', async () => {
  const id = await company('Undone')
  const { headers, status } = await api.call(
    'POST',
    '/api/notes',
    { body: 'x', about: about(id), mentions: [BEN] },
    as(ADA),
  )
  assert.equal(status, 201)
  assert.equal((await list(BEN)).unread, 1)
  await send('POST', `/api/actions/${headers['x-action-id']}/undo`, {})
  const { data, unread } = await list(BEN)
  assert.deepEqual([data, unread], [[], 0])
})

test('10,000 mentions are refused', async () => {
  const mentions = Array.from({ length: 10_000 }, (_value, n) => `user${n}@example.com`)
  const body = { body: 'x', about: about(await company('Crowd')), mentions }
  const { status, body: answer } = await api.call('POST', '/api/notes', body)
  assert.equal(status, 400)
  assert.equal(answer.details, 'mentions must be an array of 0 to 50 items, not 10000.')
})
