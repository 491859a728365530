import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ADA, about, as, BEN, EVA, type Fields, peopleOf, ZOE } from './notifications.fixture.ts'

let api: TestApp
const { addUsers, catchUp, company, create, list, send, told } = peopleOf(() => api)
before(async () => {
  api = await testApp({ WORKER: 'off' })
  await addUsers()
})
after(() => api.close())

test('who is mentioned in a new note is told once, and follows its records', async () => {
  const nordlys = await company('Nordlys Robotics')
  const note = { body: 'Ask @ben', about: about(nordlys), mentions: [BEN, ADA] }
  const { id } = await create('/api/notes', note)
  const { data, unread, next } = await list(BEN)
  assert.deepEqual([data.length, unread, next], [1, 1, null])
  const [{ id: _id, at, ...notification }] = data
  assert.deepEqual(notification, {
    ...{ kind: 'mentioned', read_at: null, done_at: null, actor_email: ADA, count: 1, details: {} },
    about: [{ type: 'company', id: nordlys, name: 'Nordlys Robotics' }],
    subject: { type: 'note', id, name: 'Ask @ben' },
    text: 'Ada mentioned you in a note about Nordlys Robotics',
  })
  assert.ok(Date.now() - Date.parse(at) < 60_000)
  assert.deepEqual(await told(ADA), [])
  const follow = await send('GET', `/api/companies/${nordlys}/follow`, undefined, BEN)
  assert.deepEqual(follow.data, { following: true, reason: 'mentioned', followers: [ADA, BEN] })

  await send('PATCH', `/api/notes/${id}`, { mentions: [BEN, ADA, EVA] })
  await send('PATCH', `/api/notes/${id}`, { body: 'Ask @ben and @eva', mentions: [BEN, EVA] })
  assert.deepEqual(await told(BEN), ['Ada mentioned you in a note about Nordlys Robotics'])
  assert.deepEqual(await told(EVA), ['Ada mentioned you in a note about Nordlys Robotics'])
})
