import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readEvents } from '#src/features/events/store.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', ENFORCE_ROLES: 'true' })
  await userWithRole(api, 'ada@example.com', 'admin')
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const company = async (name = 'Loomworks'): Promise<string> =>
  ok(await api.call('POST', '/api/companies', { name })).id
const create = async (fields: object = {}) =>
  ok(await api.call('POST', '/api/people', { name: 'Ada', ...fields }))
const read = async (id: string) => ok(await api.call('GET', `/api/people/${id}`))
const link = (of: string, id: string, body: object = {}) =>
  api.call('PUT', `/api/companies/${of}/people/${id}`, body)
const companiesOf = async (id: string) =>
  (await read(id)).companies.map((one: Fields) => [one.company_id, one.role, one.is_primary])
const undo = async ({ headers }: Answer) =>
  ok(await api.call('POST', `/api/actions/${headers['x-action-id']}/undo`, {}))
const remove = (url: string) => api.call('DELETE', url)
const restore = async (id: string) => ok(await api.call('POST', `/api/trash/${id}/restore`))
const activityOf = async (query: string) =>
  ok(await api.call('GET', `/api/activity?${query}`)).map((one: Fields) => [
    one.activity_type,
    one.company_id,
  ])

test('a link is created, replaced and removed, and the ledger names the person and the company', async () => {
  const [one, { id, updated_at }] = [await company(), await create()]
  const linked = await link(one, id, { role: 'CTO', from: '2026-03-01', until: '2026-03-01' })
  assert.deepEqual(linked.body.data, {
    ...{ company_id: one, name: 'Loomworks', role: 'CTO', from: '2026-03-01', until: '2026-03-01' },
    is_primary: false,
  })
  const person = await read(id)
  assert.deepEqual(person.companies, [linked.body.data])
  assert.ok(person.updated_at > updated_at)
  const same = await link(one, id, { role: ' CTO', from: '2026-03-01', until: '2026-03-01' })
  assert.equal(same.headers['x-action-id'], undefined)
  ok(await link(one, id, { role: 'CEO' }))
  assert.deepEqual(await companiesOf(id), [[one, 'CEO', false]])
  const removed = await remove(`/api/companies/${one}/people/${id}`)
  assert.deepEqual([removed.status, await companiesOf(id)], [204, []])
  assert.deepEqual(await activityOf(`entity_id=${id}`), [
    ['person_unlinked', one],
    ['person_link_updated', one],
    ['person_linked', one],
    ['person_created', null],
  ])
  const { recent_activity } = ok(await api.call('GET', `/api/companies/${one}`))
  assert.deepEqual(
    recent_activity.map((entry: Fields) => entry.activity_type),
    ['company_created'],
  )
  const wrong = await link(one, id, { from: '2026-03-02', until: '2026-03-01' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.details, /^until must not be before from, which is 2026-03-02, but is 2026-03-01\./)
  assert.equal((await link(one, id, { from: '2026-03-02T00:00:00Z' })).status, 400)
  const companyNames = async () =>
    ok(await api.call('GET', `/api/activity?entity_id=${id}`)).map((entry: Fields) => entry.company_name)
  ok(await api.call('PATCH', `/api/companies/${one}`, { name: 'Renamed' }))
  assert.deepEqual(await companyNames(), ['Renamed', 'Renamed', 'Renamed', null])
  await remove(`/api/companies/${one}`)
  assert.deepEqual(await companyNames(), ['Renamed', 'Renamed', 'Renamed', null])
})

test('a person has one primary company: another one ends it, and an undo brings it back', async () => {
  const [one, two, three] = [await company(), await company(), await company()]
  const { id } = await create({ companies: [{ company_id: one, role: 'a', is_primary: true }] })
  const second = await link(two, id, { is_primary: true })
  assert.deepEqual(await companiesOf(id), [
    [two, null, true],
    [one, 'a', false],
  ])
  const history = ok(await api.call('GET', `/api/people/${id}/history?field=companies.${one}`))
  assert.deepEqual([history[0].from.is_primary, history[0].to.is_primary], [true, false])
  const { reverted, skipped } = await undo(second)
  assert.deepEqual([reverted, skipped, await companiesOf(id)], [1, [], [[one, 'a', true]]])

  const again = await link(two, id, { is_primary: true })
  ok(await link(three, id, { is_primary: true }))
  const late = await undo(again)
  assert.deepEqual(
    late.skipped.map(({ field, reason }: Fields) => [field, reason]),
    [
      [`companies.${two}`, 'changed_since'],
      [`companies.${one}`, 'changed_since'],
    ],
  )
  const primary = (await companiesOf(id)).filter(([, , isPrimary]: unknown[]) => isPrimary)
  assert.deepEqual(primary, [[three, null, true]])
})

test('of several companies that become primary at the same time, one is', async () => {
  const companies = await Promise.all(Array.from({ length: 8 }, () => company()))
  const { id } = await create()
  const answers = await Promise.all(companies.map((one) => link(one, id, { is_primary: true })))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const links = await companiesOf(id)
  const primary = links.filter(([, , isPrimary]: unknown[]) => isPrimary)
  assert.deepEqual([links.length, primary.length], [8, 1])
})

test('the people of a company are listed: primary ones, present ones, past ones', async () => {
  const one = await company()
  for (const [name, fields] of [
    ['Past', { until: '2020-01-01' }],
    ['Zoë', {}],
    ['Present', { from: '2020-01-01', until: '2999-01-01' }],
    ['Primary', { role: 'CEO', is_primary: true }],
  ] as const)
    await create({ name, companies: [{ company_id: one, ...fields }] })
  const { body } = await api.call('GET', `/api/companies/${one}/people?limit=3`)
  assert.deepEqual(
    body.data.map(({ name, link: { role, is_primary } }: Fields) => [name, role, is_primary]),
    [
      ['Primary', 'CEO', true],
      ['Present', null, false],
      ['Zoë', null, false],
    ],
  )
  assert.deepEqual(body.pagination, { total: 4, limit: 3, offset: 0, hasMore: true })
})

test('creations, updates, links and removals of links are undone, and undone again', async () => {
  const one = await company()
  const created = await api.call('POST', '/api/people', { name: 'Undone', companies: [{ company_id: one }] })
  const { id } = created.body.data
  const updated = await api.call('PATCH', `/api/people/${id}`, { name: 'Other', emails: ['o@x.example'] })
  await undo(updated)
  assert.deepEqual([(await read(id)).name, (await read(id)).emails], ['Undone', []])
  const removed = await remove(`/api/companies/${one}/people/${id}`)
  const back = ok(await api.call('POST', `/api/actions/${removed.headers['x-action-id']}/undo`, {}))
  assert.deepEqual(await companiesOf(id), [[one, null, false]])
  ok(await api.call('POST', `/api/actions/${back.action_id}/undo`, {}))
  assert.deepEqual(await companiesOf(id), [])
  const uncreated = await undo(created)
  assert.equal(uncreated.reverted, 1)
  assert.equal((await api.call('GET', `/api/people/${id}`)).status, 404)
  ok(await api.call('POST', `/api/actions/${uncreated.action_id}/undo`, {}))
  assert.equal((await read(id)).name, 'Undone')
})

test('a link to a company in the trash is not put back', async () => {
  const [one, { id }] = [await company(), await create()]
  ok(await link(one, id))
  const removed = await remove(`/api/companies/${one}/people/${id}`)
  await remove(`/api/companies/${one}`)
  const { skipped } = await undo(removed)
  assert.deepEqual(
    skipped.map(({ entity_id, reason }: Fields) => [entity_id, reason]),
    [[id, 'company_missing']],
  )
})

test('people and companies go to the trash and come back with their links, in any order', async () => {
  for (const order of [
    ['person', 'company', 'person', 'company'],
    ['person', 'company', 'company', 'person'],
    ['company', 'person', 'person', 'company'],
    ['company', 'person', 'company', 'person'],
  ] as const) {
    const one = await company('Trashed')
    const { id } = await create({
      name: 'Trashed',
      emails: ['t@x.example'],
      companies: [{ company_id: one, role: 'CEO', is_primary: true }],
    })
    const before = await read(id)
    const [first, second, third, fourth] = order
    const ids = { person: id, company: one }
    const urls = { person: `/api/people/${id}`, company: `/api/companies/${one}` }
    const deleted = [await remove(urls[first]), await remove(urls[second])]
    const listed = ok(await api.call('GET', '/api/trash?entity_type=person'))
    assert.deepEqual([listed[0].id, listed[0].name], [id, 'Trashed'])
    const gone = await api.call('GET', `/api/people/${id}`)
    assert.match(gone.body.details, /The person per_\w+ is in the trash\. POST \/api\/trash\/per_/)
    assert.equal((await link(await company(), id)).status, 404)
    await restore(ids[third])
    if (third === 'person') assert.deepEqual(await companiesOf(id), [])
    else assert.deepEqual(ok(await api.call('GET', `/api/companies/${one}/people`)), [])
    if (third === 'person')
      assert.equal((await api.call('GET', `/api/people?company_id=${one}`)).body.pagination.total, 0)
    const action = deleted.find((_answer, index) => order[index] === fourth) as Answer
    assert.deepEqual((await undo(action)).skipped, [])
    assert.deepEqual(await read(id), before)
  }
})

test('a purge removes personal data and links', async () => {
  const one = await company()
  const { id } = await create({
    name: 'Secret',
    emails: ['secret@x.example'],
    companies: [{ company_id: one }],
  })
  await api.call('PATCH', `/api/people/${id}`, { headline: 'Secretly' })
  await remove(`/api/people/${id}`)
  assert.equal((await remove(`/api/trash/${id}`)).status, 204)
  const { rows } = await sql<{ text: string }>`
    select row_to_json(record)::text as text from (
      select to_jsonb(activity) as entry from activity where entity_id = ${id}
      union all select to_jsonb(company_people) from company_people where person_id = ${id}
      union all select to_jsonb(trash) from trash where id = ${id}) record`.execute(api.context.db)
  assert.equal(rows.length, 5)
  assert.doesNotMatch(rows.map(({ text }) => text).join(), /secret/i)
  const { id: other } = await create({ companies: [{ company_id: one }] })
  await remove(`/api/companies/${one}`)
  await remove(`/api/trash/${one}`)
  const links = await sql`select from company_people where person_id = ${other}`.execute(api.context.db)
  assert.deepEqual([links.rows.length, await companiesOf(other)], [0, []])
})

test('viewers read people, members write them, and only partners delete them', async () => {
  const one = await company()
  const { id } = await create({ companies: [{ company_id: one }] })
  for (const [role, allowed] of [
    ['viewer', []],
    ['member', ['POST', 'PATCH', 'PUT']],
    ['partner', ['POST', 'PATCH', 'PUT', 'DELETE']],
  ] as const) {
    const options = { headers: { 'x-user-email': await userWithRole(api, `${role}@example.com`, role) } }
    for (const url of ['/api/people', `/api/people/${id}`, `/api/companies/${one}/people`])
      assert.equal((await api.call('GET', url, undefined, options)).status, 200)
    for (const [method, url, body] of [
      ['POST', '/api/people', { name: 'By role' }],
      ['PATCH', `/api/people/${id}`, { headline: role }],
      ['PUT', `/api/companies/${one}/people/${id}`, { role }],
      ['DELETE', `/api/people/${id}`, undefined],
    ] as const) {
      const { status } = await api.call(method, url, body, options)
      assert.equal(
        status !== 403,
        (allowed as readonly string[]).includes(method),
        `${role} ${method}: ${status}`,
      )
    }
  }
})

test('a member cannot undo the creation of a person whom others have changed', async () => {
  const options = { headers: { 'x-user-email': await userWithRole(api, 'mia@example.com', 'member') } }
  const made = await api.call('POST', '/api/people', { name: 'Mine' }, options)
  const { id } = made.body.data
  ok(await link(await company(), id))
  const url = `/api/actions/${made.headers['x-action-id']}/undo`
  const { skipped } = ok(await api.call('POST', url, {}, options))
  assert.deepEqual(
    skipped.map(({ entity_type, reason }: Fields) => [entity_type, reason]),
    [['person', 'built_on']],
  )
  assert.equal((await read(id)).name, 'Mine')
})

test('each change of a person is an event', async () => {
  const one = await company()
  const { snapshot } = await readEvents(api.context.db, undefined)
  const made = await api.call('POST', '/api/people', { name: 'Followed' })
  const { id } = made.body.data
  const answers = [
    made,
    await link(one, id),
    await api.call('PATCH', `/api/people/${id}`, { name: 'Other' }),
    await remove(`/api/companies/${one}/people/${id}`),
    await remove(`/api/people/${id}`),
  ]
  const { events } = await readEvents(api.context.db, snapshot)
  assert.deepEqual(
    events.map(({ event }) => [event.kind, event.id, event.action_id]).sort(),
    answers.map(({ headers }) => ['person', id, headers['x-action-id']]).sort(),
  )
})

test('a creation that is repeated with its Idempotency-Key creates one person', async () => {
  const headers = { 'x-user-email': 'ada@example.com', 'idempotency-key': 'one-person' }
  const repeat = () => api.call('POST', '/api/people', { name: 'Once' }, { headers })
  const [first, second] = [await repeat(), await repeat()]
  assert.deepEqual([second.body, second.headers['idempotency-replayed']], [first.body, 'true'])
})
