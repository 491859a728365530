import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
/** A time between changes. */
const now = async (): Promise<string> => {
  await setTimeout(5)
  const time = new Date().toISOString()
  await setTimeout(5)
  return time
}

test('a person and the companies are shown as they were at a time', async () => {
  const company = async (name: string): Promise<string> =>
    ok(await api.call('POST', '/api/companies', { name })).id
  ok(
    await api.call('POST', '/api/fields', { entity: 'person', label: 'School', key: 'school', type: 'text' }),
  )
  const [one, two, survivor] = [await company('One'), await company('Two'), await company('Survivor')]
  const before = await now()
  const companies = [
    { company_id: one, role: 'CEO', is_primary: true },
    { company_id: two, role: 'Board' },
  ]
  const person = { name: 'Ada', emails: ['a@x.example'], custom: { school: 'ETH' }, companies }
  const { id } = ok(await api.call('POST', '/api/people', person))
  const url = `/api/people/${id}`
  const at = (time: string) => api.call('GET', `${url}?as_of=${encodeURIComponent(time)}`)
  const created = ok(await api.call('GET', url))
  const first = await now()
  ok(await api.call('PATCH', url, { name: 'Ada Li', emails: [], custom: { school: null } }))
  ok(await api.call('PUT', `/api/companies/${two}/people/${id}`, { role: 'Chair', is_primary: true }))
  ok(await api.call('DELETE', `/api/companies/${one}/people/${id}`))
  const changed = ok(await api.call('GET', url))
  const second = await now()
  const other = ok(await api.call('POST', '/api/people', { name: 'Other', headline: 'Merged' })).id
  ok(await api.call('POST', `${url}/merge`, { from: [other] }))
  ok(await api.call('POST', `/api/companies/${survivor}/merge`, { from: [two] }))

  assert.deepEqual(ok(await at(first)), created)
  assert.deepEqual(ok(await at(second)), changed)
  assert.deepEqual(ok(await at(await now())), ok(await api.call('GET', url)))
  const early = await at(before)
  assert.equal(early.status, 404)
  assert.match(early.body.details, /did not exist at .*: they were created at/)
  assert.equal((await at('2999-01-01T00:00:00Z')).status, 400)
  assert.equal((await at('yesterday')).status, 400)
  const merged = await api.call('GET', `/api/people/${other}?as_of=${encodeURIComponent(second)}`)
  assert.equal(merged.headers.location?.toString().split('?')[0], url)
  ok(await api.call('DELETE', url))
  const inTrash = await now()
  ok(await api.call('POST', `/api/trash/${id}/restore`))
  const hidden = await at(inTrash)
  assert.equal(hidden.status, 404)
  assert.match(hidden.body.details, /was in the trash or merged into another person/)
})
