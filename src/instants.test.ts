import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' })
})
after(() => api.close())

const NOON = '2026-03-01T12:00:00.000Z'
const SPELLINGS = [
  '2026-03-01T12:00Z',
  '2026-03-01T12:00:00+0000',
  '2026-03-01T14:30+0230',
  '2026-03-01T07:00-05:00',
]
const WRONG = [
  '2026-03-01T12:00',
  '2026-02-30T12:00Z',
  '2026-03-01T25:00Z',
  '2026-03-01 12:00Z',
  '2026-03-01T12:00+00',
]

test('completed_at is accepted without seconds and with +0000, and answered as RFC 3339 in UTC', async () => {
  const company = (await api.call('POST', '/api/companies', { name: 'Nordlys' })).body.data
  const started = await api.call('POST', '/api/bulk-actions', {
    action_type: 'llm_score',
    company_ids: [company.id],
  })
  const path = `/api/bulk-actions/${started.body.data.id}`
  for (const completed_at of SPELLINGS) {
    const { status, body } = await api.call('PATCH', path, { status: 'completed', completed_at })
    assert.equal(status, 200, body.details)
    assert.equal(body.data.completed_at, NOON)
    assert.equal((await api.call('GET', path)).body.data.completed_at, NOON)
  }
  for (const completed_at of WRONG) {
    const { status, body } = await api.call('PATCH', path, { status: 'completed', completed_at })
    assert.equal(status, 400, completed_at)
    assert.match(body.details, /^completed_at must be a time such as/)
  }
})

test('other instants are accepted in the same spellings', async () => {
  const { id } = (await api.call('POST', '/api/companies', { name: 'Volta' })).body.data
  const thesis = (await api.call('POST', '/api/theses', { code: 'T', title: 'T' })).body.data
  const leaf = (value: string) => JSON.stringify({ field: 'created_at', op: 'gt', value })
  for (const [times, status] of [
    [SPELLINGS, 200],
    [WRONG, 400],
  ] as const)
    for (const time of times.map(encodeURIComponent))
      for (const [method, path] of [
        ['GET', `/api/activity?since=${time}&until=${time}`],
        ['GET', `/api/audit?since=${time}&until=${time}`],
        ['GET', `/api/companies?filter=${encodeURIComponent(leaf(decodeURIComponent(time)))}`],
        ['POST', `/api/theses/${thesis.id}/matches/seen?until=${time}`],
      ] as const) {
        const answer = await api.call(method, path)
        assert.equal(answer.status, status, `${path}: ${JSON.stringify(answer.body)}`)
      }
  for (const time of SPELLINGS) {
    const answer = await api.call('GET', `/api/companies/${id}?as_of=${encodeURIComponent(time)}`)
    assert.equal(answer.status, 404, 'It did not exist then.')
  }
})
