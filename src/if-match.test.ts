import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { filesOf } from '#src/features/files/files.fixture.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

interface Changeable {
  kind: string
  url: string
  updated_at: string
  patch: (n: number) => object
}

/** A record of each kind that takes the header. */
async function records(): Promise<Changeable[]> {
  const create = async (url: string, body: object) => (await api.call('POST', url, body)).body.data
  const company = await create('/api/companies', { name: 'Contested' })
  const deal = await create('/api/dealflow', { company_id: company.id })
  const thesis = await create('/api/theses', { code: `C${Math.random()}`, title: 'Contested' })
  const person = await create('/api/people', { name: 'Contested' })
  const about = [{ type: 'company', id: company.id }]
  const decision = await create('/api/decisions', { company_id: company.id })
  const task = await create('/api/tasks', { title: 'Contested', about })
  const note = await create('/api/notes', { body: 'Contested', about })
  const file = await filesOf(() => api).upload({ about })
  return [
    { kind: 'company', url: '/api/companies', record: company, patch: (n: number) => ({ name: `N${n}` }) },
    { kind: 'deal', url: '/api/dealflow', record: deal, patch: (n: number) => ({ notes: `N${n}` }) },
    { kind: 'thesis', url: '/api/theses', record: thesis, patch: (n: number) => ({ title: `N${n}` }) },
    { kind: 'person', url: '/api/people', record: person, patch: (n: number) => ({ name: `N${n}` }) },
    { kind: 'note', url: '/api/notes', record: note, patch: (n: number) => ({ body: `N${n}` }) },
    { kind: 'task', url: '/api/tasks', record: task, patch: (n: number) => ({ title: `N${n}` }) },
    { kind: 'file', url: '/api/files', record: file, patch: (n: number) => ({ name: `N${n}` }) },
    { kind: 'decision', url: '/api/decisions', record: decision, patch: (n: number) => ({ body: `N${n}` }) },
  ].map(({ kind, url, record: { id, updated_at }, patch }) => ({
    kind,
    url: `${url}/${id}`,
    updated_at,
    patch,
  }))
}

const change = (url: string, patch: object, ifMatch?: string, email = ada): Promise<Answer> =>
  api.call('PATCH', url, patch, {
    headers: { 'x-user-email': email, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
  })

const activityTotal = async () => (await api.call('GET', '/api/activity?limit=1')).body.pagination.total

test('a conflicting change is rejected and reports the time and author of the last change', async () => {
  for (const { kind, url, updated_at, patch } of await records()) {
    const first = await change(url, patch(1), `"${updated_at}"`, 'ben@example.com')
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const now = first.body.data.updated_at
    const total = await activityTotal()
    const second = await change(url, patch(2), `"${updated_at}"`)
    assert.equal(second.status, 412)
    assert.deepEqual(second.body, {
      error: 'Precondition failed',
      details: `If-Match must be the time of the last change: this ${kind} was last changed at ${now} by ben@example.com. Nothing was saved. Read it again.`,
    })
    assert.equal(await activityTotal(), total)
    assert.equal((await change(url, patch(1), `"${now}"`)).body.data.updated_at, now)
  }
})

test('any of several times matches, and * matches all', async () => {
  for (const { url, updated_at, patch } of await records()) {
    const old = '"2020-01-01T00:00:00.000Z"'
    assert.equal((await change(url, patch(1), `${old}, ${old}`)).status, 412)
    assert.equal((await change(url, patch(1), `${old} ,"${updated_at}"`)).status, 200)
    assert.equal((await change(url, patch(2), '*')).status, 200)
    assert.equal((await change(url, patch(3))).status, 200)
    const nobody = url.replace(/_.*/, '_none')
    for (const ifMatch of ['*', old]) assert.equal((await change(nobody, patch(1), ifMatch)).status, 404)
  }
})

test('one of several concurrent changes succeeds', async () => {
  for (const { url, updated_at, patch } of await records()) {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_value, n) => change(url, patch(n), `"${updated_at}"`)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...Array(11).fill(412)])
  }
})

test('each change has a later time than the previous one, whatever the clock says', async (context) => {
  const changeable = await records()
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2024-01-01T00:00:00Z') })
  for (const { url, updated_at, patch } of changeable) {
    let last = updated_at
    for (let n = 0; n < 3; n++) {
      const { body } = await change(url, patch(n), `"${last}"`)
      assert.equal(Date.parse(body.data.updated_at), Date.parse(last) + 1)
      last = body.data.updated_at
    }
  }
})

test('an invalid time is rejected by name', async () => {
  const [company] = await records()
  for (const ifMatch of [
    '',
    '""',
    '"abc"',
    '2026-03-02T09:30:00.000Z',
    'W/"2026-03-02T09:30:00.000Z"',
    '"2026-13-02T09:30:00.000Z"',
    '*, *',
    '"2026-03-02T09:30:00.000Z",',
  ]) {
    const { status, body } = await change(company?.url ?? '', { name: 'x' }, ifMatch)
    assert.equal(status, 400, ifMatch)
    assert.match(
      body.details,
      /^if-match must be the record's updated_at in double quotes, such as "2026-.*, or \*, not /,
    )
  }
})

test('the OpenAPI document lists 412 where the header is accepted', async () => {
  const { paths, components } = (await api.call('GET', '/openapi.json')).body
  const { content } = components.responses.PreconditionFailed
  assert.equal(content['application/json'].example.error, 'Precondition failed')
  for (const path of ['/api/companies/{id}', '/api/dealflow/{id}', '/api/theses/{id}']) {
    const { responses } = paths[path].patch
    const parameters = paths[path].patch.parameters.map((parameter: { $ref?: string }) =>
      parameter.$ref ? components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter,
    )
    assert.ok(
      parameters.some(
        ({ name, in: where }: { name: string; in: string }) => name === 'if-match' && where === 'header',
      ),
    )
    assert.deepEqual(responses[412], { $ref: '#/components/responses/PreconditionFailed' })
  }
  assert.equal(paths['/api/companies/{id}'].get.responses[412], undefined)
})
