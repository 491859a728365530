import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { profileKey } from '#src/features/companies/files.ts'
import { form } from '#src/features/files/files.fixture.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { ada } from '#src/testing/settings.ts'

type Json = Record<string, unknown>

interface Resource {
  /** Where the record is changed. */
  path: string
  /** All ways to read the record. */
  reads: (() => Promise<Json>)[]
  /** The change of each of three rounds. */
  change(round: number): Json
  /** Wrong values of fields that clients cannot change. */
  readOnly: Json
  /** Of the ledger, if it records the resource. */
  entity_id?: string
}

let api: TestApp
let company_id: string
before(async () => {
  api = await testApp({ WORKER: 'off', ENFORCE_ROLES: 'true', ADMIN_EMAILS: 'ada@example.com' })
  company_id = (await create('/api/companies', { name: 'Nordlys', tags: ['Robots'] })).id as string
  await api.context.objects.write([[profileKey(company_id), '{"summary":"Looms"}']])
})
after(() => api.close())

async function create(path: string, body: Json): Promise<Json> {
  const { status, body: answer } = await api.call('POST', path, body)
  assert.equal(status, 201, JSON.stringify(answer))
  return answer.data
}

async function get(path: string): Promise<Json> {
  const { status, body } = await api.call('GET', path)
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body.data
}

/** The record in a list. Searches find it as soon as it is indexed. */
const listed =
  (path: string, id: unknown, key = 'id') =>
  () =>
    eventually(async (): Promise<Json> => {
      const found = ((await get(path)) as unknown as Json[]).find((record) => record[key] === id)
      assert.ok(found, `${path} does not list ${id}`)
      return found
    })

const asAda = { 'x-user-email': ada }
const times = { created_at: '2020-01-01T00:00:00.000Z', updated_at: 'yesterday' }
const STATUSES = ['one', 'two', 'three']

/** By the route that changes them. */
const resources: Record<string, () => Promise<Resource>> = {
  'PATCH /api/companies/:id': async () => {
    const created = await create('/api/companies', { name: 'Volta', activity_description: 'Robots' })
    await create('/api/dealflow', { company_id: created.id })
    const thesis = await create('/api/theses', { code: 'ROBOTS', title: 'Robots' })
    return {
      path: `/api/companies/${created.id}`,
      reads: [
        async () => created,
        async () => (await get(`/api/companies/${created.id}`)).company as Json,
        listed('/api/companies', created.id),
        listed('/api/companies/search/semantic?q=Robots', created.id),
        listed(`/api/theses/${thesis.id}/matches`, created.id),
      ],
      change: (round) => ({ status: STATUSES[round] }),
      readOnly: { ...times, id: 'cmp_x', enriched_data: { a: 1 }, enriched_data_error: 1, logo_url: 'x' },
      entity_id: created.id as string,
    }
  },
  'PATCH /api/dealflow/:id': async () => {
    const created = await create('/api/dealflow', { company_id })
    return {
      path: `/api/dealflow/${created.id}`,
      reads: [
        async () => created,
        () => get(`/api/dealflow/${created.id}`),
        listed('/api/dealflow', created.id),
        async () => (await get(`/api/companies/${company_id}`)).dealflow as Json,
      ],
      change: (round) => ({ notes: `Round ${round}` }),
      readOnly: { ...times, id: 1, company_id: null, company_name: 'x', company_llm_score_overall: 99 },
      entity_id: created.id as string,
    }
  },
  'PATCH /api/people/:id': async () => {
    const created = await create('/api/people', { name: 'Ada', companies: [{ company_id, role: 'CEO' }] })
    return {
      path: `/api/people/${created.id}`,
      reads: [
        async () => created,
        () => get(`/api/people/${created.id}`),
        listed('/api/people', created.id),
        listed(`/api/companies/${company_id}/people`, created.id),
      ],
      change: (round) => ({ headline: `Round ${round}` }),
      readOnly: { ...times, id: 'per_x', possible_duplicates: 1, link: 'x' },
      entity_id: created.id as string,
    }
  },
  'PATCH /api/notes/:id': async () => {
    const person = await create('/api/people', { name: 'Cleo' })
    const created = await create('/api/notes', {
      body: 'They use looms.',
      about: [{ type: 'company', id: company_id }],
      participants: [person.id],
    })
    return {
      path: `/api/notes/${created.id}`,
      reads: [
        async () => created,
        () => get(`/api/notes/${created.id}`),
        listed('/api/notes', created.id),
        listed('/api/notes?search=looms', created.id),
      ],
      change: (round) => ({ title: `Round ${round}` }),
      readOnly: {
        ...times,
        id: 'note_x',
        author_email: 7,
        parent_id: 1,
        replies: 'x',
        source: {},
        passage: 1,
      },
      entity_id: created.id as string,
    }
  },
  'PUT /api/companies/:id/people/:person_id': async () => {
    const { id } = await create('/api/people', { name: 'Ben' })
    const path = `/api/companies/${company_id}/people/${id}`
    const created = await put(path, { from: '2026-03-01' })
    return {
      path,
      reads: [
        async () => created,
        async () => ((await get(`/api/people/${id}`)).companies as Json[])[0] as Json,
      ],
      change: (round) => ({ role: `Round ${round}` }),
      readOnly: { company_id: 'cmp_x', name: 7 },
    }
  },
  'PATCH /api/theses/:id': async () => {
    const created = await create('/api/theses', { code: 'LOOMS', title: 'Looms' })
    return {
      path: `/api/theses/${created.id}`,
      reads: [
        async () => created,
        () => get(`/api/theses/${created.id}`),
        listed('/api/theses', created.id),
        () => get(`/api/theses/${created.id}/criteria`),
      ],
      change: (round) => ({ summary: `Round ${round}`, criteria: null }),
      readOnly: { ...times, id: 'th_x' },
      entity_id: created.id as string,
    }
  },
  'PATCH /api/theses/:id/matches/:company_id': async () => {
    const { id } = await create('/api/theses', { code: 'MATCH', title: 'Nordlys' })
    return {
      path: `/api/theses/${id}/matches/${company_id}`,
      reads: [listed(`/api/theses/${id}/matches`, company_id)],
      change: (round) => ({ verdict: [null, 'up', 'down'][round] }),
      readOnly: { ...times, fit: 2, thesis_id: 'th_x', company_id: 'cmp_x' },
    }
  },
  'PATCH /api/users/:email': async () => ({
    path: '/api/users/ada@example.com',
    reads: [
      () => get('/api/users/ada@example.com'),
      listed('/api/users', 'ada@example.com', 'email'),
      () => get('/api/auth/me'),
    ],
    change: (round) => ({ preferences: { view_mode: 'compact', round } }),
    readOnly: { ...times, email: 'x', name: 'Someone Else', picture: 1, permissions: [] },
  }),
  'PATCH /api/views/:id': async () => {
    const created = await create('/api/views', { entity: 'company', name: 'Mine' })
    return {
      path: `/api/views/${created.id}`,
      reads: [async () => created, () => get(`/api/views/${created.id}`), listed('/api/views', created.id)],
      change: (round) => ({ name: `Round ${round}` }),
      readOnly: { ...times, id: 'view_x', entity: 'deal', may_change: false, missing: ['x'], applied: {} },
    }
  },
  'PUT /api/views/order': async () => ({
    path: '/api/views/order',
    reads: [() => put('/api/views/order', { entity: 'company', view_ids: [] })],
    change: () => ({ view_ids: [] }),
    readOnly: { default_view_id: 'view_x' },
  }),
  'PUT /api/views/default': async () => ({
    path: '/api/views/default',
    reads: [() => put('/api/views/default', { entity: 'company', view_id: null })],
    change: () => ({ view_id: null }),
    readOnly: { default_view_id: 'view_x', view_ids: ['view_x'] },
  }),
  'PATCH /api/fields/:id': async () => {
    const options = [{ label: 'A' }]
    const created = await create('/api/fields', {
      entity: 'company',
      label: 'Batch',
      type: 'select',
      options,
    })
    return {
      path: `/api/fields/${created.id}`,
      reads: [async () => created, listed('/api/fields', created.id)],
      change: (round) => ({ label: `Round ${round}` }),
      readOnly: { updated_at: 'x', id: 'fld_x', entity: 'deal', key: 'other', type: 'text' },
    }
  },
  'PUT /api/dealflow/stages/config': async () => ({
    path: '/api/dealflow/stages/config',
    reads: [() => get('/api/dealflow/stages/config')],
    change: (round) => ({ stages: [{ key: 'initial', label: `Round ${round}` }] }),
    readOnly: { updated_at: 'x', updated_by: 7 },
  }),
  'PATCH /api/decisions/:id': async () => {
    const created = await create('/api/decisions', { company_id, outcome: 'pass', reasons: ['valuation'] })
    return {
      path: `/api/decisions/${created.id}`,
      reads: [
        async () => created,
        () => get(`/api/decisions/${created.id}`),
        listed('/api/decisions', created.id),
      ],
      change: (round) => ({ body: `Round ${round}` }),
      readOnly: {
        ...times,
        id: 'dec_x',
        company_id: 'cmp_x',
        company_name: 7,
        votes: 'x',
        as_of: 1,
        author_email: 7,
      },
      entity_id: created.id as string,
    }
  },
  'PATCH /api/tasks/:id': async () => {
    const about = [{ type: 'company', id: company_id }]
    const created = await create('/api/tasks', { title: 'Call', about, unless_contact_days: 30 })
    return {
      path: `/api/tasks/${created.id}`,
      reads: [
        async () => created,
        () => get(`/api/tasks/${created.id}`),
        listed('/api/tasks', created.id),
        async () => ({ ...created, next_id: null }),
      ],
      change: (round) => ({ title: `Round ${round}` }),
      readOnly: {
        ...times,
        ...{ id: 'tsk_x', last_contact_at: 1, done_at: 'x', done_by: 7, author_email: 7, next_id: 3 },
      },
      entity_id: created.id as string,
    }
  },
  'PATCH /api/files/:id': async () => {
    const { payload, type } = form([
      ['about', JSON.stringify([{ type: 'company', id: company_id }])],
      ['file', 'Text', 'Memo.txt'],
    ])
    const headers = { ...asAda, 'content-type': type }
    const created = (await api.call('POST', '/api/files', undefined, { payload, headers })).body.data
    return {
      path: `/api/files/${created.id}`,
      reads: [async () => created, () => get(`/api/files/${created.id}`), listed('/api/files', created.id)],
      change: (round) => ({ name: `Round ${round}` }),
      readOnly: {
        ...times,
        ...{ id: 'file_x', type: 1, size: 'x', sha256: 7, version: 'x', versions: 'x', uploaded_by: 7 },
        ...{
          scan_state: 1,
          scan_detail: 1,
          text_state: 1,
          text_detail: 1,
          pages: 'x',
          details: 1,
          preview: 1,
        },
        matches: 'x',
      },
      entity_id: created.id as string,
    }
  },
  'PUT /api/decisions/reasons': async () => ({
    path: '/api/decisions/reasons',
    reads: [() => get('/api/decisions/reasons')],
    change: (round) => ({ reasons: [{ key: 'valuation', label: `Round ${round}` }] }),
    readOnly: { updated_at: 'x', updated_by: 7 },
  }),
  'PATCH /api/notifications/settings': async () => ({
    path: '/api/notifications/settings',
    reads: [() => get('/api/notifications/settings')],
    change: (round) => ({ digest_hour: 10 + round }),
    readOnly: { mail_available: 'x' },
  }),
  'PATCH /api/tags/:name': async () => ({
    path: '/api/tags/Robots',
    reads: [listed('/api/tags', 'Robots', 'name')],
    change: () => ({ name: 'Robots' }),
    readOnly: { companies: 99, updated: 'x', action_id: 1 },
  }),
  'PATCH /api/bulk-actions/:id': async () => {
    const created = await create('/api/bulk-actions', { action_type: 'llm_score', company_ids: [company_id] })
    return {
      path: `/api/bulk-actions/${created.id}`,
      reads: [
        async () => created,
        () => get(`/api/bulk-actions/${created.id}`),
        listed('/api/bulk-actions', created.id),
      ],
      change: (round) => ({ token_budget: 1000 + round }),
      readOnly: { ...times, id: 'ba_x', total_companies: 99, priority: 'high', usage: 0, user_email: 'x' },
    }
  },
}

/** Changes of many records at once, votes, follows, and finishing tasks: their bodies are not what is read. */
const NO_RECORDS = [
  ...['PATCH /api/companies', 'PATCH /api/dealflow', 'PATCH /api/tasks', 'PUT /api/decisions/:id/vote'],
  'PUT /api/tasks/:id/done',
  ...['companies', 'dealflow', 'people', 'theses'].map((records) => `PUT /api/${records}/:id/follow`),
]

async function put(path: string, body: Json): Promise<Json> {
  const { status, body: answer } = await api.call('PUT', path, body)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer.data
}

async function write(route: string, path: string, body: Json): Promise<Json> {
  const method = route.startsWith('PUT') ? 'PUT' : 'PATCH'
  const headers = { ...asAda, ...(path.startsWith('/api/views/view_') && { 'if-match': '*' }) }
  const { status, body: answer } = await api.call(method, path, body, { headers })
  assert.equal(status, 200, `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`)
  return answer.data
}

const historyOf = async (entity_id: string): Promise<Json[]> =>
  (await get(`/api/activity?entity_id=${entity_id}`)) as unknown as Json[]

test('the table has every route that changes a record', async () => {
  const { paths } = (await api.call('GET', '/openapi.json')).body
  const routes = Object.entries<Json>(paths).flatMap(([path, item]) =>
    ['patch', 'put']
      .filter((method) => method in item)
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  assert.deepEqual(routes.sort(), [...Object.keys(resources), ...NO_RECORDS].sort())
})

for (const [route, prepare] of Object.entries(resources)) {
  test(`${route}: a record that was read three times before is changed and sent back`, async () => {
    const { path, reads, change, readOnly, entity_id } = await prepare()
    const copies: Json[] = []
    for (const read of reads) copies.push(await read())
    let answer: Json = {}
    for (let round = 0; round < 3; round++)
      for (const [index, copy] of copies.entries()) {
        const before = entity_id ? await historyOf(entity_id) : []
        // Also the stale copy, and what is no longer true.
        answer = await write(route, path, { ...copy, ...readOnly, ...change(round) })
        for (const [field, value] of Object.entries(readOnly))
          if (!['companies', 'updated', 'action_id'].includes(field))
            assert.notDeepEqual(answer[field], value, field)
        answer = await write(route, path, { ...answer, ...change(round) })
        if (!entity_id) continue
        const recorded = (await historyOf(entity_id)).slice(0, -before.length || undefined)
        const fields = recorded.flatMap((entry) => Object.keys((entry.changes ?? {}) as Json))
        const changed = index === 0 ? Object.keys(change(round)) : []
        assert.ok(
          fields.every((field) => changed.includes(field)),
          `round ${round}: ${fields} of ${changed}`,
        )
      }
    // A copy that is read again each time, with the whole answer of a change.
    for (let round = 0; round < 3; round++)
      for (const read of reads) await write(route, path, { ...(await read()), ...change(round) })
  })

  test(`${route}: a field that nobody knows is a 400 that names it`, async () => {
    const method = route.startsWith('PUT') ? 'PUT' : 'PATCH'
    const path = (route.split(' ')[1] as string).replace(':email', 'ada@example.com').replaceAll(/:\w+/g, 'x')
    const { status, body } = await api.call(
      method,
      path,
      { hue: 'red' },
      { headers: { ...asAda, 'if-match': '*' } },
    )
    assert.equal(status, 400)
    assert.match(body.details, /^hue is not a known field/)
  })
}
