import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newCompany } from '#src/features/companies/company-row.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { newId } from '#src/platform/ids.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { MAX_MERGED } from './schema.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
  await api.call('GET', `/api/users/${ada}`)
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const get = async (url: string) => ok(await api.call('GET', url))
const company = async (name: string): Promise<string> =>
  ok(await api.call('POST', '/api/companies', { name })).id
const create = async (fields: object = {}): Promise<string> =>
  ok(await api.call('POST', '/api/people', { name: 'Ingrid Solberg', ...fields })).id
const merge = (id: string, from: string[], options: object = {}) =>
  api.call('POST', `/api/people/${id}/merge`, { from, ...options })
const undo = (action_id: string) => api.call('POST', `/api/actions/${action_id}/undo`, {})
const withoutTime = ({ updated_at: _time, ...person }: Fields) => person

test('the survivor keeps its values, takes missing ones, and unites lists and companies', async () => {
  const field = { entity: 'person', label: 'School', key: 'school', type: 'text' }
  ok(await api.call('POST', '/api/fields', field))
  const [board, home, past] = [await company('Board'), await company('Home'), await company('Past')]
  const id = await create({
    name: 'Ingrid Solberg',
    emails: ['ingrid@a.example'],
    tags: ['Founder'],
    headline: 'Founder',
    companies: [{ company_id: board, role: 'Chair' }],
  })
  const other = await create({
    name: 'Solberg, Ingrid',
    emails: ['ingrid@b.example', 'ingrid@a.example'],
    phones: ['+4773590000'],
    links: ['https://ingrid.example'],
    tags: ['founder', 'Angel'],
    headline: 'Investor',
    location: 'Oslo',
    owner_email: ada,
    custom: { school: 'NTNU' },
    companies: [
      { company_id: board, role: 'Observer' },
      { company_id: home, role: 'CEO', is_primary: true },
      { company_id: past, until: '2020-01-31' },
    ],
  })
  const about = [{ type: 'person', id: other }]
  const note = { kind: 'meeting', body: 'Talked about the round.', about, participants: [other, id] }
  const noteId = ok(await api.call('POST', '/api/notes', note)).id
  const linksOf = async () => {
    const { about: subjects, participants } = await get(`/api/notes/${noteId}`)
    return [subjects.map((one: Fields) => one.id), participants.map((one: Fields) => one.id ?? one)]
  }
  const previous = [withoutTime(await get(`/api/people/${id}`)), await get(`/api/people/${other}`)]
  const { action_id, person, conflicts, moved } = ok(await merge(id, [other]))
  assert.deepEqual(
    [person.name, person.emails, person.phones, person.links, person.tags],
    [
      'Ingrid Solberg',
      ['ingrid@a.example', 'ingrid@b.example'],
      ['+4773590000'],
      ['https://ingrid.example'],
      ['Angel', 'Founder'],
    ],
  )
  assert.deepEqual(
    [person.headline, person.location, person.owner_email, person.custom],
    ['Founder', 'Oslo', ada, { school: 'NTNU' }],
  )
  assert.deepEqual(
    person.companies.map((one: Fields) => [one.company_id, one.role, one.until, one.is_primary]),
    [
      [home, 'CEO', null, true],
      [board, 'Chair', null, false],
      [past, null, '2020-01-31', false],
    ],
  )
  assert.deepEqual(
    conflicts.map(({ field: name, chosen }: Fields) => [name, chosen]),
    [
      ['name', id],
      ['headline', id],
      [`companies.${board}`, id],
    ],
  )
  assert.deepEqual([moved.companies, moved.notes, moved.activity > 0], [2, 1, true])
  assert.deepEqual(await linksOf(), [[id], [id]])

  const found = await api.call('GET', `/api/people/${other}`)
  assert.deepEqual([found.status, found.headers.location], [301, `/api/people/${id}`])
  const history = await api.call('GET', `/api/people/${other}/history`)
  assert.deepEqual([history.status, history.headers.location], [301, `/api/people/${id}/history`])
  for (const [method, url] of [
    ['PATCH', `/api/people/${other}`],
    ['DELETE', `/api/people/${other}`],
    ['POST', `/api/people/${other}/merge`],
    ['PUT', `/api/companies/${home}/people/${other}`],
    ['POST', `/api/trash/${other}/restore`],
  ] as const) {
    const body = { PATCH: { headline: 'x' }, POST: { from: [id] }, PUT: {}, DELETE: undefined }[method]
    const { status, body: refused } = await api.call(method, url, url.includes('/trash/') ? undefined : body)
    assert.equal(status, 409, url)
    assert.match(refused.details, new RegExp(`person ${other} was merged into ${id}`))
    if (url.includes('/trash/')) assert.ok(refused.details.includes(`POST /api/actions/${action_id}/undo`))
  }
  assert.deepEqual(await get('/api/trash?entity_type=person'), [])
  const listed = await get(`/api/companies/${home}/people`)
  assert.deepEqual(
    listed.map((one: Fields) => one.id),
    [id],
  )

  const undone = ok(await undo(action_id))
  assert.deepEqual([undone.reverted, undone.skipped], [3, []])
  assert.deepEqual(await linksOf(), [[other], [other, id]])
  assert.deepEqual([withoutTime(await get(`/api/people/${id}`)), await get(`/api/people/${other}`)], previous)
  ok(await undo(undone.action_id))
  assert.equal((await api.call('GET', `/api/people/${other}`)).status, 301)
  assert.deepEqual(withoutTime(await get(`/api/people/${id}`)), withoutTime(person))
})

test('a choice decides, and a dry run changes nothing', async () => {
  const [id, other] = [
    await create({ headline: 'A' }),
    await create({ headline: 'B', emails: ['b@x.example'] }),
  ]
  const previous = await get(`/api/people/${id}`)
  const choose = { headline: other, emails: id }
  const dry = ok(await merge(id, [other], { choose, dry_run: true }))
  assert.deepEqual([dry.action_id, dry.person.headline, dry.person.emails], [null, 'B', []])
  assert.deepEqual(await get(`/api/people/${id}`), previous)
  const { person } = ok(await merge(id, [other, other], { choose }))
  assert.deepEqual([person.headline, person.emails], ['B', []])
})

test('what does not fit into a list is named, stays with the merged person, and comes back', async () => {
  const emails = (letter: string) => Array.from({ length: 15 }, (_value, n) => `${letter}${n}@fit.example`)
  const rows = Array.from({ length: 105 }, (_value, n) => newCompany(newId('cmp'), { name: `Company ${n}` }))
  await insertCompanies(rows).execute(api.context.db)
  const ids = rows.map((row) => row.id)
  const linked = (some: string[]) => some.map((company_id) => ({ company_id }))
  const id = await create({ emails: emails('a'), companies: linked(ids.slice(0, 60)) })
  const more = ids.slice(60)
  const other = await create({ emails: emails('b'), companies: linked(more) })
  const { action_id, person, conflicts, moved } = ok(await merge(id, [other]))
  assert.deepEqual([person.emails.length, person.companies.length, moved.companies], [20, 100, 40])
  assert.deepEqual(
    conflicts.map(({ field, left_out }: Fields) => [field, left_out]),
    [
      ['emails', emails('b').slice(5)],
      ['companies', more.slice(40)],
    ],
  )
  ok(await undo(action_id))
  const back = await get(`/api/people/${other}`)
  assert.deepEqual([back.emails, back.companies.length], [emails('b'), 45])
})

test('merges are undone in any order that the survivors allow', async () => {
  const [one, two, three] = [
    await create({ emails: ['1@order.example'] }),
    await create({ emails: ['2@order.example'], headline: 'Two' }),
    await create({ emails: ['3@order.example'] }),
  ]
  const inner = ok(await merge(two, [three])).action_id
  const outer = ok(await merge(one, [two])).action_id
  assert.equal((await api.call('GET', `/api/people/${three}`)).headers.location, `/api/people/${one}`)
  const refused = await undo(inner)
  assert.equal(refused.status, 409)
  assert.match(
    refused.body.details,
    new RegExp(`The person ${two} was merged into ${one} since. POST /api/actions/${outer}/undo`),
  )
  ok(await undo(outer))
  assert.equal((await api.call('GET', `/api/people/${three}`)).headers.location, `/api/people/${two}`)
  ok(await undo(inner))
  assert.deepEqual((await get(`/api/people/${two}`)).emails, ['2@order.example'])

  const first = ok(await merge(one, [two])).action_id
  const second = ok(await merge(one, [three])).action_id
  const { reverted, skipped } = ok(await undo(first))
  assert.equal(reverted, 2)
  assert.deepEqual(
    skipped.map(({ entity_id, field, reason }: Fields) => [entity_id, field, reason]),
    [[one, 'emails', 'changed_since']],
  )
  assert.deepEqual(ok(await undo(second)).skipped, [])
  assert.deepEqual((await get(`/api/people/${three}`)).emails, ['3@order.example'])
  assert.equal((await get(`/api/people/${one}`)).headline, null)
})

test("a merged person shares the survivor's trash and purge", async () => {
  const [id, other] = [await create(), await create()]
  const { action_id } = ok(await merge(id, [other]))
  ok(await api.call('DELETE', `/api/people/${id}`))
  const gone = await api.call('GET', `/api/people/${other}`)
  assert.equal(gone.status, 404)
  assert.match(gone.body.details, new RegExp(`was merged into ${id}, which is in the trash`))
  const refused = await undo(action_id)
  assert.equal(refused.status, 409)
  assert.match(
    refused.body.details,
    new RegExp(`The person ${id} is in the trash. POST /api/trash/${id}/restore`),
  )
  ok(await api.call('POST', `/api/trash/${id}/restore`))
  assert.equal((await api.call('GET', `/api/people/${other}`)).status, 301)
  ok(await api.call('DELETE', `/api/people/${id}`))
  ok(await api.call('DELETE', `/api/trash/${id}`))
  assert.equal((await api.call('GET', `/api/people/${other}`)).status, 404)
  const undone = ok(await undo(action_id))
  assert.deepEqual([undone.reverted, undone.skipped.map(({ reason }: Fields) => reason)], [0, ['purged']])
})

test('companies that were merged since are those of a person who is split off', async () => {
  const [kept, gone] = [await company('Kept'), await company('Gone')]
  const id = await create()
  const other = await create({ companies: [{ company_id: gone, role: 'CTO', is_primary: true }] })
  const { action_id } = ok(await merge(id, [other]))
  ok(await api.call('POST', `/api/companies/${kept}/merge`, { from: [gone] }))
  const { skipped } = ok(await undo(action_id))
  assert.deepEqual(
    skipped.map(({ entity_id, field }: Fields) => [entity_id, field]),
    [],
  )
  const { companies } = await get(`/api/people/${other}`)
  assert.deepEqual(
    companies.map((one: Fields) => [one.company_id, one.role, one.is_primary]),
    [[kept, 'CTO', true]],
  )
})

test('what cannot be merged is a 400 that names it', async () => {
  const [id, deleted, merged] = [await create(), await create(), await create()]
  ok(await api.call('DELETE', `/api/people/${deleted}`))
  ok(await merge(id, [merged]))
  const third = await create()
  for (const [body, details] of [
    [{ from: [id] }, /from must be ids of other people: per_\w+ cannot be merged with itself/],
    [{ from: [] }, /from must be an array of 1 to 50 items/],
    [{ from: Array.from({ length: MAX_MERGED + 1 }, () => third) }, /from must be an array of 1 to 50 items/],
    [{ from: ['per_gone'] }, /from must be ids of people.*per_gone.*POST \/api\/people/],
    [{ from: [deleted] }, /from must be ids of people; per_\w+ is in the trash/],
    [{ from: [merged] }, /from must be ids of people; per_\w+ was merged into/],
    [{ from: [third], choose: { hq_city: id } }, /choose\.hq_city is not a field that people are merged by/],
    [{ from: [third], choose: { name: deleted } }, /choose\.name must be the id of one of the merged people/],
  ] as const) {
    const answer = await api.call('POST', `/api/people/${id}/merge`, body)
    assert.equal(answer.status, 400)
    assert.match(answer.body.details, details)
  }
  assert.equal((await merge('per_gone', [third])).status, 404)
})
