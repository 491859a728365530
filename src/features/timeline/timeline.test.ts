import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' })
})
after(() => api.close())

const ben = 'ben@example.com'
const as = (email: string) => ({ headers: { 'x-user-email': email } })

const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}
const send = (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, body?: object, email = ada) =>
  api.call(method, url, body, as(email))
const create = async (url: string, body: object, email = ada): Promise<string> =>
  ok(await send('POST', url, body, email)).data.id
const patch = async (url: string, body: object, email = ada) => {
  const answer = await send('PATCH', url, body, email)
  ok(answer)
  return answer
}
const undo = async ({ headers }: Answer, email = ada) =>
  ok(await send('POST', `/api/actions/${headers['x-action-id']}/undo`, {}, email))
const read = async (url: string, query = '', email = ada): Promise<Fields> =>
  ok(await api.call('GET', `${url}/timeline?${query}`, undefined, as(email)))
const about = (id: string, type = 'company') => ({ about: [{ type, id }] })

/** All entries, page by page. */
async function readAll(url: string, limit: number, query = '', email = ada): Promise<Fields[]> {
  const entries: Fields[] = []
  for (let before = ''; ; ) {
    const { data, next } = await read(url, `limit=${limit}&before=${before}&${query}`, email)
    assert.ok(data.length <= limit)
    entries.push(...data)
    assert.ok(entries.length < 100, 'the pages end')
    if (next === null) return entries
    assert.equal(data.length, limit, 'only the last page is shorter')
    before = next
  }
}

/** What an entry is, in a few words. */
const brief = ({ kind, title, count, undone, changes }: Fields) =>
  [
    kind,
    title,
    ...(count === undefined
      ? []
      : [
          count,
          Object.keys(changes ?? {})
            .sort()
            .join(),
        ]),
    ...(undone ? ['undone'] : []),
  ].join(' · ')

test('a timeline has notes, decisions, deals, and changes in one order, whatever the size of its pages', async () => {
  const company = await create('/api/companies', { name: 'Loomworks' })
  const url = `/api/companies/${company}`
  await patch(url, { hq_city: 'Oslo' })
  await patch(url, { hq_city: 'Bergen', status: 'inactive' })
  await patch(url, { hq_city: 'Berlin' }, ben)
  const first = await patch(url, { employee_count: 12 })
  await undo(first)
  const deal = await create('/api/dealflow', { company_id: company })
  await patch(`/api/dealflow/${deal}`, { stage: 'due_diligence', notes: 'Quick' })
  await patch(`/api/dealflow/${deal}`, { stage: 'term_sheet' })
  const person = await create('/api/people', { name: 'Ingrid Solberg' })
  ok(await send('PUT', `${url}/people/${person}`, { role: 'CEO' }))
  await create('/api/notes', { body: 'On the company', ...about(company) })
  await create('/api/notes', {
    kind: 'call',
    body: `${'x'.repeat(3000)}`,
    title: 'Terms',
    ...about(deal, 'deal'),
  })
  await create('/api/notes', {
    kind: 'meeting',
    body: 'Long ago',
    happened_at: '2020-01-01T09:00:00.123456Z',
    pinned: true,
    ...about(company),
  })
  await create('/api/notes', { body: 'Secret', visibility: 'private', ...about(company) }, ben)
  const gone = await create('/api/notes', { body: 'Deleted', ...about(company) })
  ok(await send('DELETE', `/api/notes/${gone}`))
  await create('/api/decisions', { company_id: company, deal_id: deal, outcome: 'pass', body: 'Later' })
  await create('/api/decisions', { company_id: company })

  const whole = (await read(url)).data
  assert.deepEqual(whole.map(brief), [
    'decision · Open decision',
    'decision · Pass',
    'call · Terms',
    'note · On the company',
    `change · Person linked · 1 · companies.${company}`,
    'deal · Deal stage changed · 2 · notes,stage',
    'deal · Deal created · 1 · ',
    'change · Company updated, then undone · 2 ·  · undone',
    'change · Company updated · 1 · hq_city',
    'change · Company updated · 2 · hq_city,status',
    'change · Company created · 1 · ',
    'meeting · Long ago',
  ])
  const [call, folded] = [whole[2], whole[9]]
  assert.equal(call.note.body.length, 2000)
  assert.equal(call.note.truncated, true)
  assert.deepEqual(call.note.about[0], { type: 'deal', id: deal, name: 'Loomworks' })
  assert.deepEqual(folded.changes, {
    hq_city: { from: null, to: 'Bergen' },
    status: { from: 'active', to: 'inactive' },
  })
  assert.equal(folded.user_email, ada)
  assert.equal(folded.action_ids.length, 2)
  assert.ok(folded.first_at <= folded.at)
  assert.equal(whole.at(-1).pinned, true)
  for (const limit of [1, 3, 50]) assert.deepEqual(await readAll(url, limit), whole, `limit ${limit}`)

  // A private note is only its readers'.
  const bens = await readAll(url, 2, '', ben)
  assert.deepEqual(bens.filter(({ title }) => title === 'Secret').length, 1)
  assert.equal(bens.length, whole.length + 1)
  assert.deepEqual(
    (await read(url, 'kinds=deal,call')).data,
    whole.filter(({ kind }: Fields) => kind === 'deal' || kind === 'call'),
  )
  assert.deepEqual((await read(url, 'kinds=deal&kinds=call')).data.length, 3)

  const ofDeal = (await readAll(`/api/dealflow/${deal}`, 2)).map(brief)
  assert.deepEqual(ofDeal, [
    'decision · Pass',
    'call · Terms',
    'deal · Deal stage changed · 2 · notes,stage',
    'deal · Deal created · 1 · ',
  ])
  await create('/api/notes', { body: 'With Ingrid', participants: [person], ...about(company) })
  assert.deepEqual((await readAll(`/api/people/${person}`, 1)).map(brief), [
    'note · With Ingrid',
    `change · Person linked · 1 · companies.${company}`,
    'change · Person created · 1 · ',
  ])
  ok(await send('DELETE', `/api/dealflow/${deal}`))
  assert.match(brief((await read(url, 'kinds=deal')).data[0]), /^deal · Deal deleted/)
})

test('wrong input, records that are gone, and merges are answered like elsewhere', async () => {
  const company = await create('/api/companies', { name: 'Nordlys' })
  const other = await create('/api/companies', { name: 'Nordlys AS', hq_city: 'Oslo' })
  const get = async (path: string) => api.call('GET', path)
  const url = `/api/companies/${company}/timeline`
  for (const [query, details] of [
    ['before=abc', /^before must be the `next` of a page/],
    ['kinds=letter', /kinds/],
    ['limit=0', /limit/],
  ] as const) {
    const { status, body } = await get(`${url}?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.details, details)
  }
  const merge = await send('POST', `/api/companies/${company}/merge`, { from: [other] })
  ok(merge)
  const moved = await get(`/api/companies/${other}/timeline`)
  assert.equal(moved.status, 301)
  assert.equal(moved.headers.location, url)
  const merged = await readAll(`/api/companies/${company}`, 1)
  assert.ok(merged.some(({ activity_type }) => activity_type === 'company_merged'))
  await undo(merge)
  const split = await readAll(`/api/companies/${company}`, 1)
  assert.ok(split.every(({ entity_id }) => entity_id === company))
  ok(await send('DELETE', `/api/companies/${company}`))
  const { status, body } = await get(url)
  assert.equal(status, 404)
  assert.match(body.details, /is in the trash/)
})

test('imports, bulk changes, long values, and undone undos are entries, and pages stay while others write', async () => {
  const csv = 'name,website,hq_city\nGlasverk,https://glasverk.example,Oslo\n'
  const imported = await api.call('POST', '/api/companies/import', csv, {
    headers: { 'x-user-email': ada, 'content-type': 'text/csv' },
  })
  assert.equal(imported.status, 200, JSON.stringify(imported.body))
  const { data } = ok(await api.call('GET', '/api/companies?search=glasverk', undefined, as(ada)))
  const company = data[0].id
  const url = `/api/companies/${company}`
  await patch(url, { llm_score_overall: 80 })
  const bulk = await send('PATCH', '/api/companies', { ids: [company], changes: { status: 'inactive' } })
  ok(bulk)
  await patch(url, { activity_description: 'Glass. '.repeat(700) }, ben)
  const changed = await patch(url, { hq_city: 'Ulm' })
  const undone = await undo(changed)
  ok(await send('POST', `/api/actions/${undone.data.action_id}/undo`, {}))
  const whole = (await read(url)).data
  assert.deepEqual(
    whole.map(({ kind, via, undone: isUndone, changes }: Fields) => [
      kind,
      via,
      isUndone,
      Object.keys(changes ?? {})
        .sort()
        .join(),
    ]),
    [
      ['change', 'request', false, 'hq_city'],
      ['change', 'request', false, 'activity_description'],
      ['change', 'request', false, 'status'],
      ['change', 'request', false, 'llm_score_overall'],
      ['change', 'import', false, ''],
    ],
  )
  assert.deepEqual(whole[0].changes.hq_city, { from: 'Oslo', to: 'Ulm' })
  assert.equal(whole[0].count, 3)
  assert.equal(whole[1].changes.activity_description.truncated, true)
  assert.deepEqual((await read(url, 'kinds=score')).data, [])

  const { data: firstPage, next } = await read(url, 'limit=2')
  await create('/api/notes', { body: 'Between two pages', ...about(company) })
  await patch(url, { hq_city: 'Kiel' }, ben)
  const { data: secondPage } = await read(url, `limit=10&before=${next}`)
  assert.deepEqual([...firstPage, ...secondPage], whole)

  const thesis = await create('/api/theses', { code: 'GLASS', title: 'Glass' })
  await patch(`/api/theses/${thesis}`, { summary: 'More glass' })
  await create('/api/notes', { body: 'About glass', ...about(thesis, 'thesis') })
  assert.deepEqual((await readAll(`/api/theses/${thesis}`, 1)).map(brief), [
    'note · About glass',
    'change · Thesis updated · 1 · summary',
    'change · Thesis created · 1 · ',
  ])
})
