import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { ada } from '#src/testing/settings.ts'
import { as, dayFromToday, type Fields, ok, refused, tasksOf } from './tasks.fixture.ts'

const [mel, olga, vic, pat] = ['mel', 'olga', 'vic', 'pat'].map((name) => `${name}@example.com`) as [
  string,
  string,
  string,
  string,
]
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', ENFORCE_ROLES: 'true' })
  await userWithRole(api, ada, 'admin')
  await userWithRole(api, mel, 'member')
  await userWithRole(api, olga, 'member')
  await userWithRole(api, vic, 'viewer')
  await userWithRole(api, pat, 'partner')
})
after(() => api.close())

const { activity, bulk, company, deal, finish, patch, person, read, reopen, task, titles, undo } = tasksOf(
  () => api,
)
const remove = (path: string, email = ada) => api.call('DELETE', `/api/${path}`, undefined, as(email))
const restore = (id: string, email = ada) =>
  api.call('POST', `/api/trash/${id}/restore`, undefined, as(email))
const merge = (path: string, from: string[]) => api.call('POST', `/api/${path}/merge`, { from })
const statusOf = ({ status }: Answer) => status
const get = async (url: string): Promise<Fields> => ok(await api.call('GET', url))
const disable = async (email: string, disabled = true) =>
  ok(await api.call('PATCH', `/api/users/${email}`, { disabled }))

test('viewers read tasks, members change those that they wrote or are assigned, partners those of others', async () => {
  const { id } = await task({ title: 'Roles', assignee_email: olga }, mel)
  for (const path of [`tasks/${id}`, 'tasks', 'tasks/export', `tasks/${id}/history`])
    assert.equal(statusOf(await api.call('GET', `/api/${path}`, undefined, as(vic))), 200)
  assert.equal(statusOf(await api.call('POST', '/api/tasks', { title: 'No' }, as(vic))), 403)
  for (const change of [patch(id, { title: 'No' }, vic), finish(id, vic), bulk([id], { done: true }, vic)])
    assert.equal(statusOf(await change), 403)
  const others = (await task({ title: 'Of Pat' }, pat)).id
  for (const change of [
    ...[patch(others, { title: 'No' }, mel), finish(others, mel), reopen(others, mel)],
    ...[remove(`tasks/${others}`, mel), bulk([id, others], { postpone_days: 1 }, mel)],
  ])
    assert.equal(statusOf(await change), 403)
  for (const email of [mel, olga, pat]) {
    assert.equal(statusOf(await patch(id, { title: `By ${email}` }, email)), 200)
    assert.equal(statusOf(await finish(id, email)), 200)
    assert.equal(statusOf(await reopen(id, email)), 200)
    const deletion = await remove(`tasks/${id}`, email)
    assert.equal(statusOf(deletion), 204)
    await undo(deletion, email)
    ok(await remove(`tasks/${id}`, pat))
    assert.equal(statusOf(await restore(id, email)), 200)
  }
  ok(await remove(`tasks/${others}`, pat))
  assert.equal(statusOf(await restore(others, mel)), 403)
})

test('an undo of a creation keeps a task, or a record, that others have built on', async () => {
  const created = await api.call('POST', '/api/tasks', { title: 'Built on', assignee_email: olga }, as(mel))
  ok(await patch(ok(created).id, { title: 'By Olga' }, olga))
  assert.equal((await undo(created, mel)).skipped[0]?.reason, 'built_on')
  assert.equal((await undo(created, pat)).reverted, 1)
  const firm = await api.call('POST', '/api/companies', { name: 'Built on' }, as(mel))
  await task({ title: 'Of Olga', about: [{ type: 'company', id: ok(firm).id }] }, olga)
  assert.equal((await undo(firm, mel)).skipped[0]?.reason, 'built_on')
})

test('a task goes to the trash, comes back with what it is about, and is purged', async () => {
  const id = await company('Trashed')
  const about = [{ type: 'company', id }]
  const created = await task({ title: 'Trash me', about, due_on: dayFromToday(1), repeat: 'weekly' })
  const deletion = await remove(`tasks/${created.id}`)
  assert.deepEqual(await titles(`about=${id}`), [])
  assert.match(refused(await api.call('GET', `/api/tasks/${created.id}`), 404), /is in the trash/)
  const [entry] = await get('/api/trash?entity_type=task')
  assert.deepEqual([entry.id, entry.name, entry.entity_type], [created.id, 'Trash me', 'task'])
  await undo(deletion)
  assert.deepEqual(await read(created.id), created)
  ok(await remove(`tasks/${created.id}`))
  ok(await restore(created.id))
  assert.deepEqual(await read(created.id), created)
  const changed = await patch(created.id, { title: 'Renamed', due_on: dayFromToday(2), about: [] })
  ok(await remove(`tasks/${created.id}`))
  // The links of a task in the trash are put back, its fields are not.
  await undo(changed)
  ok(await restore(created.id))
  const back = await read(created.id)
  assert.deepEqual([back.title, back.about[0]?.id], ['Renamed', id])
  assert.deepEqual(await activity(created.id).then((types) => types.slice(0, 5)), [
    ...['task_created', 'task_deleted', 'task_restored', 'task_deleted', 'task_restored'],
  ])
  const names = await api.call('GET', `/api/activity?entity_id=${created.id}&limit=1`)
  assert.deepEqual([names.body.data[0].entity_name, names.body.data[0].entity_type], ['Renamed', 'task'])
  ok(await remove(`tasks/${created.id}`))
  ok(await api.call('DELETE', `/api/trash/${created.id}`))
  assert.equal(statusOf(await restore(created.id)), 404)
  const links = await api.context.db
    .selectFrom('links')
    .where('record_id', '=', created.id)
    .selectAll()
    .execute()
  assert.deepEqual(links, [])
})

test('a task is hidden while all that it is about is in the trash', async () => {
  const [one, two] = [await company('Hiding one'), await company('Hiding two')]
  const about = [one, two].map((id) => ({ type: 'company', id }))
  const { id } = await task({ title: 'Hidden', about, due_on: dayFromToday(0) })
  await task({ title: 'About nothing' })
  ok(await remove(`companies/${one}`))
  assert.deepEqual(
    (await read(id)).about.map(({ id }: Fields) => id),
    [two],
  )
  // What is hidden stays when the rest is sent back.
  ok(await patch(id, { title: 'Hidden still', about: [{ type: 'company', id: two }] }))
  ok(await remove(`companies/${two}`))
  assert.match(
    refused(await api.call('GET', `/api/tasks/${id}`), 404),
    /All records that the task .* in the trash/,
  )
  for (const change of [patch(id, { title: 'x' }), finish(id), remove(`tasks/${id}`)])
    assert.equal(statusOf(await change), 404)
  assert.deepEqual(await titles('search=hidden'), [])
  assert.deepEqual(await titles('search=about%20nothing'), ['About nothing'])
  ok(await restore(two))
  ok(await restore(one))
  assert.deepEqual(
    (await read(id)).about.map(({ id }: Fields) => id),
    [one, two],
  )
})

test('tasks follow merges of companies and people, and return with an undo', async () => {
  const [survivor, other] = [await company('Survivor'), await company('Merged')]
  const [kept, gone] = [await person({ name: 'Kept' }), await person({ name: 'Gone' })]
  const about = [
    { type: 'company', id: other },
    { type: 'person', id: gone },
  ]
  const { id } = await task({ title: 'Moves', about })
  const trashed = await task({ title: 'Moves too', about })
  ok(await remove(`tasks/${trashed.id}`))
  const companies = await merge(`companies/${survivor}`, [other])
  const people = await merge(`people/${kept}`, [gone])
  assert.deepEqual([ok(companies).moved.tasks, ok(people).moved.tasks], [1, 1])
  const aboutOf = async () => (await read(id)).about.map(({ id }: Fields) => id)
  assert.deepEqual(await aboutOf(), [survivor, kept])
  assert.equal((await get(`/api/companies/${survivor}`)).company.next_step.title, 'Moves')
  await undo(people)
  await undo(companies)
  assert.deepEqual(await aboutOf(), [other, gone])
  ok(await restore(trashed.id))
  assert.deepEqual(
    (await read(trashed.id)).about.map(({ id }: Fields) => id),
    [other, gone],
  )
})

test('an undo leaves out what would make a task due twice, never, or of a disabled user', async () => {
  const { id } = await task({ title: 'Undo', due_on: '2026-05-01' })
  const cleared = await patch(id, { due_on: null })
  ok(await patch(id, { due_at: '2026-06-01T08:00:00Z' }))
  assert.deepEqual(
    (await undo(cleared)).skipped.map(({ field, reason }: Fields) => [field, reason]),
    [['due_on', 'changed_since']],
  )
  const dated = (await task({ title: 'Dated' })).id
  const set = await patch(dated, { due_on: '2026-05-01' })
  ok(await patch(dated, { repeat: 'monthly' }))
  assert.equal((await undo(set)).skipped[0].reason, 'changed_since')
  assert.equal((await read(dated)).due_on, '2026-05-01')
  await userWithRole(api, 'leaver@example.com', 'member')
  const assigned = (await task({ title: 'Assigned', assignee_email: 'leaver@example.com' })).id
  const reassigned = await patch(assigned, { assignee_email: mel })
  await disable('leaver@example.com')
  assert.deepEqual(
    (await undo(reassigned)).skipped.map(({ reason }: Fields) => reason),
    ['value_not_allowed'],
  )
})

test('the open tasks of a disabled user go to their authors, or to who disabled them', async () => {
  const [dora, emil] = ['dora@example.com', 'emil@example.com']
  await userWithRole(api, dora, 'member')
  await userWithRole(api, emil, 'member')
  const assigned = { assignee_email: dora }
  const byMel = (await task({ title: 'By Mel', ...assigned }, mel)).id
  const own = (await task({ title: 'Own' }, dora)).id
  const byEmil = (await task({ title: 'By Emil', ...assigned }, emil)).id
  const done = (await task({ title: 'Done', ...assigned }, mel)).id
  ok(await finish(done))
  const trashed = (await task({ title: 'Trashed', ...assigned }, mel)).id
  ok(await remove(`tasks/${trashed}`))
  await disable(emil)
  await disable(dora)
  const assignees = async () =>
    Promise.all([byMel, own, byEmil, done].map((id) => read(id).then(({ assignee_email }) => assignee_email)))
  assert.deepEqual(await assignees(), [mel, ada, ada, dora])
  const [record] = (await api.call('GET', `/api/activity?entity_id=${byMel}&limit=1`)).body.data
  assert.deepEqual(record.metadata, {
    ...{ fields: ['assignee_email'], reason: 'assignee_disabled', previous_assignee: dora },
  })
  assert.equal(record.user_email, ada)
  // Those that come back, too.
  ok(await reopen(done))
  ok(await restore(trashed))
  assert.deepEqual([(await assignees())[3], (await read(trashed)).assignee_email], [mel, mel])
  assert.match(
    refused(await patch(byMel, assigned)),
    /^assignee_email must be a user who is not disabled, but dora@example.com is/,
  )
  assert.equal(statusOf(await api.call('POST', '/api/tasks', { title: 'No', ...assigned })), 400)
  assert.equal(statusOf(await bulk([byMel], assigned)), 400)
  await disable(dora, false)
  const undone = ok(await api.call('POST', `/api/actions/${record.action_id}/undo`, {}))
  assert.equal(undone.reverted, 3)
  assert.deepEqual(await assignees(), [dora, dora, dora, mel])
})

test('timelines have open and done tasks, with when they were finished', async () => {
  const id = await company('Timeline')
  const deal_id = await deal(id)
  const open = await task({ title: 'Open', about: [{ type: 'company', id }] })
  const done = await task({ title: 'Done', about: [{ type: 'deal', id: deal_id }] }, mel)
  ok(await finish(done.id))
  const kinds = 'kinds=task'
  const entries = (await api.call('GET', `/api/companies/${id}/timeline?${kinds}`)).body.data
  const { done_at } = await read(done.id)
  assert.deepEqual(
    entries.map(({ id, kind, at, title, user_email, task }: Fields) => [
      id,
      kind,
      at,
      title,
      user_email,
      task.id,
    ]),
    [
      [done.id, 'task', done_at, 'Done', ada, done.id],
      [open.id, 'task', open.created_at, 'Open', ada, open.id],
    ],
  )
  const first = (await api.call('GET', `/api/companies/${id}/timeline?${kinds}&limit=1`)).body
  const second = await api.call('GET', `/api/companies/${id}/timeline?${kinds}&limit=1&before=${first.next}`)
  assert.deepEqual([first.data[0].id, second.body.data[0].id], [done.id, open.id])
  const ofDeal = (await api.call('GET', `/api/dealflow/${deal_id}/timeline`)).body.data
  assert.equal(ofDeal.filter(({ kind }: Fields) => kind === 'task').length, 1)
})
