import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  ADA,
  about,
  as,
  BEN,
  EVA,
  type Fields,
  peopleOf,
  ZOE,
} from '#src/features/notifications/notifications.fixture.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'

let api: TestApp
const { addUsers, company, create, send, told } = peopleOf(() => api)
before(async () => {
  api = await testApp({ WORKER: 'off', ENFORCE_ROLES: 'true', ADMIN_EMAILS: ADA })
  await addUsers()
})
after(() => api.close())

const request = async (method: 'GET' | 'PUT' | 'DELETE', path: string, email: string): Promise<Fields> =>
  (await send(method, `${path}/follow`, undefined, email)).data

test('each kind of record is followed and unfollowed, and the last word counts', async () => {
  const id = await company('Loomworks')
  const deal = await create('/api/dealflow', { company_id: id })
  const person = await create('/api/people', { name: 'Ida Lund' })
  const thesis = await create('/api/theses', { code: 'LOOM', title: 'Looms', summary: 'Looms' })
  for (const path of [
    `/api/companies/${id}`,
    `/api/dealflow/${deal.id}`,
    `/api/people/${person.id}`,
    `/api/theses/${thesis.id}`,
  ]) {
    const none = { following: false, reason: null, followers: [] }
    const chosen = { following: true, reason: 'chosen', followers: [BEN] }
    assert.deepEqual(await request('GET', path, BEN), none, path)
    assert.deepEqual(await request('PUT', path, BEN), chosen)
    assert.deepEqual(await request('PUT', path, BEN), chosen)
    assert.deepEqual(await request('GET', path, EVA), { ...none, followers: [BEN] })
    assert.deepEqual(await request('DELETE', path, BEN), none)
    assert.deepEqual(await request('DELETE', path, BEN), none)
  }
})

test('owners follow without having chosen to, until they unfollow', async () => {
  const id = await company('Owned', { owner_email: BEN })
  const path = `/api/companies/${id}`
  assert.deepEqual(await request('GET', path, BEN), { following: true, reason: 'owner', followers: [BEN] })
  assert.equal((await request('DELETE', path, BEN)).following, false)
  await send('PATCH', path, { owner_email: EVA })
  await send('PATCH', path, { owner_email: BEN })
  assert.equal((await request('GET', path, BEN)).following, false)
  assert.equal((await request('PUT', path, BEN)).reason, 'chosen')
})

test('who has unfollowed a record is not made to follow it again by a mention or a task', async () => {
  const id = await company('Quiet')
  const path = `/api/companies/${id}`
  await request('DELETE', path, BEN)
  await create('/api/notes', { body: 'x', about: about(id), mentions: [BEN] })
  await create('/api/tasks', { title: 'x', about: about(id), assignee_email: BEN })
  assert.equal((await told(BEN)).length, 2)
  assert.equal((await request('GET', path, BEN)).following, false)
  await create('/api/notes', { body: 'x', about: about(id) })
  assert.deepEqual(await told(BEN), [])
})

test('viewers follow too', async () => {
  await userWithRole(api, 'vic@example.com', 'viewer')
  const id = await company('Watched')
  const deal = await create('/api/dealflow', { company_id: id })
  assert.equal((await request('PUT', `/api/companies/${id}`, 'vic@example.com')).following, true)
  await send('PATCH', `/api/dealflow/${deal.id}`, { stage: 'due_diligence' })
  const [text] = await told('vic@example.com')
  assert.equal(text, 'Ada moved the deal of Watched from Initial to Due diligence')
})

test('a merge moves follows, and its undo moves them back', async () => {
  const [kept, merged] = [await company('Kept'), await company('Merged')]
  await request('PUT', `/api/companies/${merged}`, BEN)
  await request('PUT', `/api/companies/${merged}`, EVA)
  await request('DELETE', `/api/companies/${kept}`, EVA)
  const { data } = await send('POST', `/api/companies/${kept}/merge`, { from: [merged] })
  assert.deepEqual((await request('GET', `/api/companies/${kept}`, ZOE)).followers, [BEN])
  await create('/api/notes', { body: 'x', about: about(kept) })
  assert.deepEqual(await told(BEN), ['Ada wrote a note about Kept'])
  assert.deepEqual(await told(EVA), [])
  await send('POST', `/api/actions/${data.action_id}/undo`, {})
  assert.deepEqual((await request('GET', `/api/companies/${kept}`, ZOE)).followers, [])
  assert.deepEqual((await request('GET', `/api/companies/${merged}`, ZOE)).followers, [BEN, EVA])

  const person = await create('/api/people', { name: 'Ida Lund' })
  const other = await create('/api/people', { name: 'I. Lund' })
  await request('PUT', `/api/people/${other.id}`, BEN)
  await send('POST', `/api/people/${person.id}/merge`, { from: [other.id] })
  assert.deepEqual((await request('GET', `/api/people/${person.id}`, ZOE)).followers, [BEN])
})

test('records that do not exist, are in the trash, or are another kind cannot be followed', async () => {
  const id = await company('Gone')
  await send('DELETE', `/api/companies/${id}`)
  const refused = async (path: string) => {
    const { status, body } = await api.call('PUT', `${path}/follow`, undefined, as(BEN))
    assert.equal(status, 404)
    return body.details
  }
  assert.match(await refused(`/api/companies/${id}`), /is in the trash/)
  assert.equal(await refused('/api/companies/cmp_x'), 'No company has the id cmp_x.')
  assert.match(await refused(`/api/theses/${id}`), /in the trash|No thesis/)
  assert.equal((await api.call('PUT', '/api/companies/cmp_x/follow', undefined, { headers: {} })).status, 401)
})
