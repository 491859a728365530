import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'
import { MAX_VIEWS_PER_USER } from './schema.ts'

const ben = 'ben@example.com'
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  for (const email of [ada, ben]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const as = (email: string, method: Method, url: string, body?: unknown, ifMatch?: string) =>
  api.call(method, url, body, {
    headers: { 'x-user-email': email, ...(ifMatch && { 'if-match': ifMatch }) },
  })
const save = async (view: object, email = ada) =>
  (await as(email, 'POST', '/api/views', { entity: 'company', name: 'View', ...view })).body.data
const version = ({ updated_at }: { updated_at: string }) => `"${updated_at}"`

const ACTIVE = { field: 'status', op: 'eq', value: 'active' }

test('a view keeps its filter, search, sort, columns and layout, and is changed in part', async () => {
  const content = {
    filter: { and: [ACTIVE, { field: 'owner_email', op: 'eq', value: 'me' }] },
    search: 'robots',
    sort: [{ field: 'name', direction: 'asc', nulls: 'last' }],
    columns: [{ field: 'name', width: 240, pinned: true }, { field: 'status' }],
    layout: 'table',
  }
  const view = await save({ ...content, name: ' Mine ' })
  assert.match(view.id, /^view_/)
  assert.deepEqual([view.name, view.visibility, view.owner_email], ['Mine', 'private', ada])
  const { filter, search, sort, columns, layout } = view
  assert.deepEqual({ filter, search, sort, columns, layout }, content)
  assert.deepEqual(view.applied, { filter, sort, columns })
  const url = `/api/views/${view.id}`
  assert.deepEqual((await api.call('GET', url)).body.data, view)
  const written = await as(ada, 'PATCH', url, { ...view, search: '' }, version(view))
  assert.deepEqual([written.status, written.body.data.search], [200, null])
  assert.deepEqual(written.body.data.filter, content.filter)
  const board = await save({ entity: 'deal', layout: 'board', columns: [{ field: 'custom.gone' }] })
  assert.deepEqual([board.layout, board.missing.length], ['board', 1])
  await as(ada, 'DELETE', `/api/views/${board.id}`)
  const plain = await save({})
  assert.deepEqual([plain.filter, plain.search, plain.sort, plain.layout], [null, null, [], 'table'])
})

test('a view that was saved with a layout and columns that are no longer allowed still works', async () => {
  const { id } = await save({})
  const content = { layout: 'grid', columns: [{ field: 'zz' }] }
  await sql`update views set content = ${JSON.stringify(content)}::json where id = ${id}`.execute(
    api.context.db,
  )
  const { data } = (await api.call('GET', `/api/views/${id}`)).body
  assert.deepEqual([data.layout, data.columns, data.missing], ['grid', content.columns, []])
  const url = `/api/views/${id}`
  assert.equal((await as(ada, 'PATCH', url, { ...data, name: 'Kept' }, version(data))).status, 200)
})

test('an invalid view is a 400 that names the error', async () => {
  for (const [view, message] of [
    [{ filter: { and: [{ field: 'hue', op: 'eq', value: 1 }] } }, /filter\.and\[0\]\.field must be the name/],
    [{ filter: 'active' }, /filter must be an object/],
    ...[false, 0, ''].map((filter): [object, RegExp] => [{ filter }, /filter must be an object/]),
    [{ sort: [{ field: 'executives' }] }, /sort\[0\]\.field must be the name of a field to sort by/],
    [{ entity: 'deal', search: 'x' }, /search must be null: only companies and people have it/],
    [{ visibility: 'public' }, /visibility must be one of private, shared/],
    [{ columns: [{ field: 'name', width: 0 }] }, /columns\[0\]\.width must be a whole number from 1 to 2000/],
    [{ columns: [{ field: 'name' }, { field: 'name' }] }, /columns\[1\]\.field repeats "name"/],
    [
      { columns: [{ field: 'name' }, { field: 'zz' }] },
      /columns\[1\]\.field must be the name of a field, not "zz"\. GET \/api\/fields\?entity=company lists them\./,
    ],
    [
      { entity: 'deal', columns: [{ field: 'website' }] },
      /columns\[0\]\.field must be .*\?entity=deal lists them/,
    ],
    [{ layout: 'board' }, /layout must be table if entity is company, not "board"\./],
    [{ entity: 'deal', layout: 'grid' }, /layout must be table or board if entity is deal, not "grid"\./],
    [{ name: ' ' }, /name must be text of 1 to 100 characters that is not blank/],
    [{ entity: 'activity' }, /entity must be one of company, deal, thesis, person/],
  ] as const) {
    const { status, body } = await as(ada, 'POST', '/api/views', { entity: 'company', name: 'V', ...view })
    assert.equal(status, 400, JSON.stringify(view))
    assert.match(body.details, message)
  }
  const view = await save({})
  const unconditional = await as(ada, 'PATCH', `/api/views/${view.id}`, { name: 'Other' })
  assert.equal(unconditional.status, 400)
  assert.match(
    unconditional.body.details,
    /^The header If-Match is required: send the record's updated_at in double quotes, such as "2026/,
  )
  const anonymous = await api.call('POST', '/api/views', { entity: 'company', name: 'V' }, { headers: {} })
  assert.equal(anonymous.status, 401)
})

test('a private view exists only for its owner', async () => {
  const view = await save({ name: 'Secret' })
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Mine now' }],
    ['DELETE', '', undefined],
    ['GET', '/new', undefined],
    ['POST', '/seen', undefined],
  ] as const) {
    const { status, body: answer } = await as(ben, method, `/api/views/${view.id}${path}`, body, '*')
    assert.equal(status, 404, `${method} ${path}`)
    assert.match(answer.details, /No view has the id view_/)
  }
  const { data } = (await as(ben, 'GET', '/api/views')).body
  assert.ok(!data.some(({ id }: { id: string }) => id === view.id))
  const order = { entity: 'company', view_ids: [view.id] }
  assert.equal((await as(ben, 'PUT', '/api/views/order', order)).status, 400)
  assert.equal(
    (await as(ben, 'PUT', '/api/views/default', { entity: 'company', view_id: view.id })).status,
    400,
  )
})

test('a shared view is changed by its owner and admins; others are told to save a copy', async () => {
  const view = await save({ name: 'Ours', visibility: 'shared' })
  const url = `/api/views/${view.id}`
  const seen = (await as(ben, 'GET', url)).body.data
  assert.deepEqual([view.may_change, seen.may_change], [true, false])
  for (const method of ['PATCH', 'DELETE'] as const) {
    const { status, body } = await as(ben, method, url, method === 'PATCH' ? { name: 'B' } : undefined, '*')
    assert.equal(status, 403)
    assert.match(body.details, /belongs to ada@example\.com.*Save a copy: POST \/api\/views/)
  }
  const { id: _id, ...copy } = seen
  assert.equal((await save({ name: copy.name, filter: copy.filter }, ben)).owner_email, ben)
  const setRole = (role: string) =>
    sql`update users set role = ${role}, access_changed_at = clock_timestamp() where email = ${ben}`
      .execute(api.context.db)
      .then(() => api.context.access.refresh())
  await setRole('admin')
  const changed = await as(ben, 'PATCH', url, { name: 'Theirs', owner_email: ben }, version(view))
  assert.deepEqual([changed.status, changed.body.data.owner_email], [200, ben])
  assert.deepEqual([seen.updated_by_email, changed.body.data.updated_by_email], [ada, ben])
  await setRole('member')
  assert.equal((await as(ada, 'DELETE', url)).status, 403)
  assert.equal((await as(ben, 'DELETE', url)).status, 204)
  assert.equal((await as(ben, 'GET', url)).status, 404)
})

test('transferred views count for the previous owner until the new owner saves them', {
  skip: slow,
}, async () => {
  const [giver, receiver] = ['giver@example.com', 'receiver@example.com']
  for (const email of [giver, receiver]) await api.call('GET', `/api/users/${email}`)
  const give = async (from: string, to: string, view: { id: string; updated_at: string }) =>
    as(from, 'PATCH', `/api/views/${view.id}`, { owner_email: to }, version(view))
  const input = []
  for (let n = 0; n < MAX_VIEWS_PER_USER; n++) {
    const answer = await give(giver, receiver, await save({}, giver))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const read = await as(receiver, 'GET', `/api/views/${answer.body.data?.id ?? ''}`)
    input.push(read.body.data)
  }
  const full = await as(giver, 'POST', '/api/views', { entity: 'company', name: 'One more' })
  assert.equal(full.status, 409)
  assert.match(full.body.details, /Views that you gave away count until their new owner saves them/)
  for (let n = 0; n < MAX_VIEWS_PER_USER; n++) assert.ok((await save({}, receiver)).id)
  // Handing it on would count toward the limit of the new owner, which is full.
  assert.equal((await give(receiver, giver, input[0])).status, 409)
  const kept = await as(receiver, 'PATCH', `/api/views/${input[1].id}`, { name: 'Kept' }, version(input[1]))
  assert.equal(kept.status, 200)
  assert.ok((await save({}, giver)).id)
  assert.equal('given_by_email' in kept.body.data, false)
})

test('of two people who save at once, one gets a 412 and loses nothing silently', async () => {
  const view = await save({ visibility: 'shared' })
  const url = `/api/views/${view.id}`
  for (let round = 0; round < 5; round++) {
    const current = (await api.call('GET', url)).body.data
    const names = ['one', 'two', 'three'].map((name) => `${name} ${round}`)
    const answers = await Promise.all(names.map((name) => as(ada, 'PATCH', url, { name }, version(current))))
    const saved = answers.findIndex(({ status }) => status === 200)
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412])
    assert.equal((await api.call('GET', url)).body.data.name, names[saved])
    const refused = answers.find(({ status }) => status === 412)
    assert.match(refused?.body.details, /this view was last changed at .* Nothing was saved/)
  }
})

test('each user has an order and a default view of their own', async () => {
  const made = []
  for (const name of ['A', 'B', 'C']) made.push(await save({ entity: 'deal', name, visibility: 'shared' }))
  const ids = made.map(({ id }) => id as string)
  const [a, b, c] = ids as [string, string, string]
  const listed = async (email: string) =>
    (await as(email, 'GET', '/api/views?entity=deal')).body.data.map(
      ({ id, is_default }: { id: string; is_default: boolean }) => [id, is_default],
    )
  const ordered = await as(ada, 'PUT', '/api/views/order', { entity: 'deal', view_ids: [c, a] })
  assert.deepEqual(ordered.body.data, { entity: 'deal', default_view_id: null, view_ids: [c, a] })
  await as(ada, 'PUT', '/api/views/default', { entity: 'deal', view_id: b })
  assert.deepEqual(await listed(ada), [
    [c, false],
    [a, false],
    [b, true],
  ])
  assert.deepEqual(
    await listed(ben),
    ids.map((id) => [id, false]),
  )
  const wrong = await as(ada, 'PUT', '/api/views/default', { entity: 'company', view_id: b })
  assert.equal(wrong.status, 400)
  assert.match(
    wrong.body.details,
    /view_id must be the id of a view whose entity is company; none has the id/,
  )
  await as(ada, 'PUT', '/api/views/default', { entity: 'deal', view_id: null })
  await as(ada, 'DELETE', `/api/views/${c}`)
  assert.deepEqual(await listed(ada), [
    [a, false],
    [b, false],
  ])
})

test('a view of a deleted thesis or field works and names what is missing', async () => {
  const { id: thesis_id } = (await api.call('POST', '/api/theses', { code: 'GONE', title: 'Gone' })).body.data
  const ofThesis = { field: 'thesis_id', op: 'eq', value: thesis_id }
  const view = await save({ filter: { or: [ofThesis, { field: 'name', op: 'eq', value: 'Kept' }] } })
  assert.deepEqual(view.missing, [])
  await api.call('DELETE', `/api/theses/${thesis_id}`)
  await sql`
    update views set content = jsonb_set(content::jsonb, '{sort}', '[{"field": "custom.gone", "direction": "asc"}]')::json
    where id = ${view.id}`.execute(api.context.db)
  const url = `/api/views/${view.id}`
  const described = (await api.call('GET', url)).body.data
  assert.deepEqual(described.missing, [
    { kind: 'thesis', name: thesis_id, used_in: 'filter' },
    { kind: 'field', name: 'custom.gone', used_in: 'sort' },
  ])
  assert.deepEqual(described.applied.sort, [])
  await api.call('POST', '/api/companies', { name: 'Kept' })
  const { body } = await api.call('GET', `${url}/new`)
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Kept'],
  )
  const renamed = await as(ada, 'PATCH', url, { ...described, name: 'Renamed' }, version(described))
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body))
})

test('a view of a tag names it once no company has it', async () => {
  const { id } = (await api.call('POST', '/api/companies', { name: 'Tagged', tags: ['Short-lived'] })).body
    .data
  const view = await save({ filter: { field: 'tags', op: 'eq', value: 'Short-lived' } })
  assert.deepEqual(view.missing, [])
  const renamed = await api.call('PATCH', '/api/tags/Short-lived', { name: 'Lasting' })
  const missing = async () => (await api.call('GET', `/api/views/${view.id}`)).body.data.missing
  assert.deepEqual(await missing(), [{ kind: 'tag', name: 'Short-lived', used_in: 'filter' }])
  await api.call('POST', `/api/actions/${renamed.body.data.action_id}/undo`, {})
  assert.deepEqual(await missing(), [], id)
})

test('a view of a deleted custom field leaves its conditions and columns out', async () => {
  const definition = { entity: 'company', label: 'Batch', key: 'batch', type: 'text' }
  const { id } = (await api.call('POST', '/api/fields', definition)).body.data
  const batch = { field: 'custom.batch', op: 'eq', value: 'W24' }
  const columns = [{ field: 'name' }, { field: 'custom.batch' }]
  const view = await save({ filter: { and: [ACTIVE, batch] }, columns })
  assert.deepEqual([view.missing, view.applied.filter], [[], view.filter])
  await api.call('PATCH', `/api/fields/${id}`, { archived: true })
  assert.equal((await api.call('DELETE', `/api/fields/${id}?confirm=true`)).status, 204)
  const { missing, applied, filter } = (await api.call('GET', `/api/views/${view.id}`)).body.data
  assert.deepEqual(filter, view.filter)
  assert.deepEqual(applied.filter, { and: [ACTIVE] })
  assert.deepEqual(applied.columns, [{ field: 'name' }])
  assert.deepEqual(missing, [
    { kind: 'field', name: 'custom.batch', used_in: 'filter' },
    { kind: 'field', name: 'custom.batch', used_in: 'columns' },
  ])
  assert.equal((await api.call('GET', `/api/views/${view.id}/new`)).status, 200)
})

test('what is new is counted for each user from their own last look, and for every kind of record', async () => {
  const { id: company_id } = (await api.call('POST', '/api/companies', { name: 'Dealt' })).body.data
  const filter = { field: 'stage', op: 'eq', value: 'meeting' }
  const view = await save({ entity: 'deal', filter, visibility: 'shared' })
  const news = async (email: string) => {
    const { body } = await as(email, 'GET', `/api/views/${view.id}/new`)
    return [body.pagination.total, body.seen_at !== null, body.only_created]
  }
  const { id } = (await api.call('POST', '/api/dealflow', { company_id })).body.data
  assert.deepEqual(
    [await news(ada), await news(ben)],
    [
      [0, true, false],
      [0, false, false],
    ],
  )
  await api.call('PATCH', `/api/dealflow/${id}`, { stage: 'meeting' })
  assert.deepEqual(
    [await news(ada), await news(ben)],
    [
      [1, true, false],
      [0, false, false],
    ],
  )
  const seen = await as(ben, 'POST', `/api/views/${view.id}/seen`)
  assert.equal(seen.body.data.records, 1)
  assert.deepEqual(
    [await news(ada), await news(ben)],
    [
      [1, true, false],
      [0, true, false],
    ],
  )
  await as(ada, 'POST', `/api/views/${view.id}/seen`)
  // As if there had been too many records to remember.
  await sql`update view_looks set ids = null where view_id = ${view.id}`.execute(api.context.db)
  assert.deepEqual(await news(ada), [0, true, true])
  await api.call('POST', '/api/dealflow', { company_id, stage: 'meeting' })
  assert.deepEqual(await news(ada), [1, true, true])
  const theses = await save({ entity: 'thesis' })
  await api.call('POST', '/api/theses', { code: 'NEW-ONE', title: 'New' })
  const { body } = await api.call('GET', `/api/views/${theses.id}/new`)
  assert.deepEqual(
    body.data.map(({ code }: { code: string }) => code),
    ['NEW-ONE'],
  )
})
