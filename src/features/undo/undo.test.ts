import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { whenBlocked } from '#src/testing/locks.ts'

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' })
})
after(() => api.close())

const ok = ({ status, body }: Answer) => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const create = async (url: string, fields: object) => ok(await api.call('POST', url, fields))
const undo = (id: string) => api.call('POST', `/api/actions/${id}/undo`, {})
const undoneBy = async (id: string) => ok(await api.call('GET', `/api/actions/${id}`)).undone_by

test('an action counts as undone after each odd number of undos of undos', async () => {
  const { id } = await create('/api/companies', { name: 'Chain', hq_city: 'Oslo' })
  const { headers } = await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Rome' })
  const chain = [String(headers['x-action-id'])]
  for (let n = 0; n < 4; n++) chain.push(ok(await undo(chain.at(-1) as string)).action_id)
  const [action, first, second, third, last] = chain as [string, string, string, string, string]
  assert.deepEqual(await Promise.all(chain.map(undoneBy)), [null, second, null, last, null])
  ok(await undo(last))
  const states = await Promise.all([action, first, second].map(undoneBy))
  assert.deepEqual(states, [first, null, third])
  assert.equal(ok(await api.call('GET', `/api/companies/${id}`)).company.hq_city, 'Oslo')
  const again = await undo(action)
  assert.equal(again.status, 409)
  assert.match(again.body.details, new RegExp(`undone by ${first}`))
})

test('an undo that had to skip everything does not mark the action as undone, and can be repeated', async () => {
  const { id } = await create('/api/companies', { name: 'Skipped', hq_city: 'Oslo' })
  const { headers } = await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Rome' })
  const action = String(headers['x-action-id'])
  await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Bonn' })
  const skipped = ok(await undo(action))
  assert.deepEqual([skipped.reverted, skipped.skipped.length], [0, 1])
  assert.equal(await undoneBy(action), null)
  await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Rome' })
  const undone = ok(await undo(action))
  assert.deepEqual([undone.reverted, await undoneBy(action)], [1, undone.action_id])
  assert.equal(ok(await api.call('GET', `/api/companies/${id}`)).company.hq_city, 'Oslo')
})

test('an undo of an undo that did nothing changes nothing', async () => {
  const { id } = await create('/api/companies', { name: 'Nothing', hq_city: 'Oslo' })
  const { headers } = await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Rome' })
  const action = String(headers['x-action-id'])
  await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Bonn' })
  const skipped = ok(await undo(action)).action_id
  const again = ok(await undo(skipped))
  assert.equal(again.reverted, 0)
  assert.equal(ok(await undo(again.action_id)).reverted, 0)
  assert.equal(await undoneBy(action), null)
  assert.equal(ok(await api.call('GET', `/api/companies/${id}`)).company.hq_city, 'Bonn')
})

test('an undo needs no body', async () => {
  const { id } = await create('/api/companies', { name: 'No body' })
  const { headers } = await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Rome' })
  assert.equal(ok(await api.call('POST', `/api/actions/${headers['x-action-id']}/undo`)).reverted, 1)
})

/** Runs a request while another transaction is taking a thesis code. */
async function whileTaken(code: string, request: () => Promise<Answer>): Promise<Answer> {
  const answer = await api.context.db.transaction().execute(async (transaction) => {
    await sql`
      insert into theses (id, code, title, status, created_at, updated_at)
      values (${`th_of_${code}`}, ${code}, 'Taken', 'active', now(), now())`.execute(transaction)
    const sent = request()
    await whenBlocked(transaction, /\btheses\b/)
    return { sent }
  })
  return answer.sent
}

test('a thesis is not restored while its code is being taken', async () => {
  const { id } = await create('/api/theses', { title: 'Robots', code: 'RACE' })
  await api.call('DELETE', `/api/theses/${id}`)
  const { status, body } = await whileTaken('RACE', () => api.call('POST', `/api/trash/${id}/restore`))
  assert.equal(status, 409, JSON.stringify(body))
  assert.match(body.details, /has the code RACE now/)
})

test('an undo skips a thesis code that is being taken', async () => {
  const { id } = await create('/api/theses', { title: 'Ships', code: 'SHIPS' })
  const { headers } = await api.call('PATCH', `/api/theses/${id}`, { code: 'BOATS' })
  const undone = ok(await whileTaken('SHIPS', () => undo(String(headers['x-action-id']))))
  assert.deepEqual(
    undone.skipped.map(({ field, reason }: { field: string; reason: string }) => [field, reason]),
    [['code', 'code_taken']],
  )
})

test('changes from before texts were normalized can be undone, and bring back normalized values', async () => {
  const { id } = await create('/api/companies', { name: 'Old', hq_city: 'Oslo', tags: ['A'] })
  const { headers } = await api.call('PATCH', `/api/companies/${id}`, {
    hq_city: 'Zürich',
    tags: ['Öko'],
    executives: [{ name: 'Zoë' }],
    industry_category: 'Optics',
  })
  const action = String(headers['x-action-id'])
  const previous = {
    hq_city: { from: 'Mu\u0308nchen\u200b', to: 'Zu\u0308rich\u00a0' },
    tags: { from: ['A\u200b'], to: ['O\u0308ko', 'Öko\u200b'] },
    executives: { from: null, to: [{ name: 'Zoe\u0308' }] },
    industry_category: { from: 'Ligh\u200bt', to: 'Lasers\u200b' },
  }
  await sql`
    update activity set changes = ${JSON.stringify(previous)}::json where action_id = ${action}`.execute(
    api.context.db,
  )
  const undone = ok(await undo(action))
  assert.deepEqual(
    undone.skipped.map(({ field, reason }: { field: string; reason: string }) => [field, reason]),
    [['industry_category', 'changed_since']],
  )
  const { company } = ok(await api.call('GET', `/api/companies/${id}`))
  assert.deepEqual(
    [company.hq_city, company.tags, company.executives, company.industry_category],
    ['München', ['A'], null, 'Optics'],
  )
})

test('an undo of a link waits for its company before it locks the person', async () => {
  const { id: company } = await create('/api/companies', { name: 'Locked' })
  const { id: person } = await create('/api/people', { name: 'Linked', companies: [{ company_id: company }] })
  const { headers } = await api.call('DELETE', `/api/companies/${company}/people/${person}`)
  const { undoing } = await api.context.db.transaction().execute(async (transaction) => {
    // As a merge of the company does.
    await sql`select from companies where id = ${company} for update`.execute(transaction)
    const sent = undo(String(headers['x-action-id']))
    await whenBlocked(transaction, /\bcompanies\b/)
    await sql`select from people where id = ${person} for no key update nowait`.execute(transaction)
    return { undoing: sent }
  })
  assert.equal(ok(await undoing).reverted, 1)
})
