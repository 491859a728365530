import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { type Client, createClient } from './client.ts'
import {
  ApiError,
  DependencyUnavailable,
  InvalidRequest,
  NotFound,
  NotSignedIn,
  PreconditionFailed,
  ServiceUnreachable,
  TooManyRequests,
} from './errors.ts'

let api: TestApp
let baseUrl: string
let client: Client
before(async () => {
  api = await testApp()
  baseUrl = await api.app.listen({ port: 0, host: '127.0.0.1' })
  client = createClient({ baseUrl, headers: { 'x-user-email': 'ada@example.com' } })
})
after(() => api.close())

test('a day of work through the client', async () => {
  const { data: thesis } = await client.createThesis({
    body: { code: 'A', title: 'A', report_markdown: '# A' },
  })
  const { data: company } = await client.createCompany({ body: { name: 'Ä & B', thesis_id: thesis.id } })
  await client.updateCompany({ params: { id: company.id }, body: { status: 'inactive' } })
  const { data: deal } = await client.createDeal({ body: { company_id: company.id } })
  await client.updateDeal({ params: { id: deal.id }, body: { stage: 'meeting', probability: 40 } })

  const found = await client.listCompanies({ querystring: { search: 'ä & b', status: 'inactive', limit: 1 } })
  assert.equal(found.pagination.total, 1)
  const { data: detail } = await client.getCompany({ params: { id: company.id } })
  assert.equal(detail.dealflow?.stage, 'meeting')
  assert.equal((await client.getThesis({ params: { id: thesis.id } })).data.report_markdown, '# A')
  assert.equal(
    (await client.updateThesis({ params: { id: thesis.id }, body: { title: 'B' } })).data.title,
    'B',
  )
  assert.equal((await client.listTheses()).data.length, 1)
  assert.equal((await client.listDeals({ querystring: { stage: 'meeting' } })).data[0]?.id, deal.id)
  assert.equal((await client.listActivity({ querystring: { entity_id: deal.id } })).pagination.total, 3)
  assert.equal((await client.getStats()).data.companies_total, 1)
  const { data: user } = await client.updateUser({
    params: { email: 'ada@example.com' },
    body: { preferences: { view_mode: 'compact' } },
  })
  assert.deepEqual((await client.getUser({ params: { email: 'ada@example.com' } })).data, user)
})

test('a deletion returns its action, which can be undone', async () => {
  const { data: company } = await client.createCompany({ body: { name: 'Deleted by mistake' } })
  const { action_id } = await client.deleteCompany({ params: { id: company.id } })
  await assert.rejects(client.getCompany({ params: { id: company.id } }), /is in the trash/)
  const { data } = await client.undoAction({ params: { id: action_id ?? '' }, body: {} })
  assert.equal(data.reverted, 1)
  assert.equal((await client.getCompany({ params: { id: company.id } })).data.company.name, company.name)
})

test('the client reports each action, also that of an import, but not a dry run or a change of nothing', async () => {
  const done: string[] = []
  const reporting = createClient({
    baseUrl,
    headers: { 'x-user-email': 'ada@example.com' },
    onAction: ({ operation, id }) => done.push(`${operation} ${id.slice(0, 3)}`),
  })
  const { data: company } = await reporting.createCompany({ body: { name: 'Reported' } })
  const change = { params: { id: company.id }, body: { status: 'inactive' } }
  await reporting.updateCompany(change)
  await reporting.updateCompany(change)
  const file = { body: 'name\nReported by import\n' }
  await reporting.importCompanies({ ...file, querystring: { dry_run: true } })
  await reporting.importCompanies(file)
  const { action_id } = await reporting.deleteCompany({ params: { id: company.id } })
  await reporting.undoAction({ params: { id: action_id ?? '' }, body: { dry_run: true } })
  assert.deepEqual(done, [
    'createCompany ax_',
    'updateCompany ax_',
    'importCompanies ax_',
    'deleteCompany ax_',
  ])
})

test('headers of a call are sent', async () => {
  const submission = { body: { title: 'Twice' }, headers: { 'idempotency-key': 'twice' } }
  const sent = await client.submitFeedback(submission)
  assert.deepEqual(await client.submitFeedback(submission), sent)
  assert.equal((await client.listFeedback()).pagination.total, 1)
})

test('changing a record that has changed since it was read fails', async () => {
  const { data: company } = await client.createCompany({ body: { name: 'Twice' } })
  const change = {
    params: { id: company.id },
    headers: { 'if-match': `"${company.updated_at}"` },
    body: { status: 'acquired' },
  }
  assert.equal((await client.updateCompany(change)).data.status, 'acquired')
  await assert.rejects(client.updateCompany(change), PreconditionFailed)
})

test('a call can have its own signal and fetch', async () => {
  await assert.rejects(client.getStats({}, { signal: AbortSignal.abort() }), { name: 'ServiceUnreachable' })
  const urls: string[] = []
  const loggingFetch: typeof fetch = async (address, request) => {
    urls.push(String(address))
    return fetch(address, request)
  }
  await client.listTheses({}, { fetch: loggingFetch })
  await client.getStats()
  assert.deepEqual(
    urls.map((address) => new URL(address).pathname),
    ['/api/theses'],
  )
})

test('files are uploaded and downloaded as streams', async () => {
  const { data } = await client.importCompanies({
    body: 'name\nFrom a file\n',
    querystring: { dry_run: false },
  })
  assert.equal(data.created, 1)
  const stream = await client.exportCompanies({ querystring: { search: 'from a file' } })
  const csv = await new Response(stream).text()
  assert.match(csv, /,From a file,/)
})

test('each kind of error is its own class', async () => {
  await assert.rejects(client.getCompany({ params: { id: 'cmp_none' } }), (error: Error) => {
    assert.ok(error instanceof NotFound && error instanceof ApiError)
    assert.equal(error.status, 404)
    assert.equal(error.error, 'Not found')
    assert.match(error.details, /cmp_none/)
    assert.ok(error.requestId)
    return true
  })
  await assert.rejects(client.createCompany({ body: { name: '' } }), InvalidRequest)
  await assert.rejects(createClient({ baseUrl, headers: { 'x-user-email': '?' } }).getStats(), NotSignedIn)
  await assert.rejects(createClient({ baseUrl: 'http://127.0.0.1:1' }).getStats(), ServiceUnreachable)
  const active = (status: number) => async () => new Response('<html>', { status })
  await assert.rejects(createClient({ baseUrl, fetch: active(503) }).getStats(), DependencyUnavailable)
  await assert.rejects(createClient({ baseUrl, fetch: active(502) }).getStats(), (error: Error) => {
    assert.equal(error.constructor, ApiError)
    return true
  })
})

test('ids are encoded in the path', async () => {
  await assert.rejects(client.getCompany({ params: { id: '../stats?x#y' } }), NotFound)
})

test('a rate-limited request is retried a few times, until it is aborted', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  const service =
    (...waits: string[]) =>
    async () => {
      const wait = waits.shift()
      if (wait === undefined) return Response.json({ data: { companies_total: 1 } })
      const body = { error: 'Too many requests', details: 'Try again.' }
      return Response.json(body, { status: 429, headers: { 'retry-after': wait } })
    }
  const delays: number[] = []
  const onRetry = (seconds: number) => {
    delays.push(seconds)
    setImmediate(() => context.mock.timers.tick(seconds * 1000))
  }
  const retryingClient = (fetch: () => Promise<Response>, signal?: AbortSignal) =>
    createClient({ baseUrl: 'http://localhost', fetch, onRetry, ...(signal ? { signal } : {}) })
  const date = new Date(20_000).toUTCString()
  assert.equal(
    (await retryingClient(service('3', date, 'rubbish', '9999')).getStats()).data.companies_total,
    1,
  )
  assert.deepEqual(delays, [3, 17, 1, 60])
  await assert.rejects(retryingClient(service(...Array(9).fill('1'))).getStats(), TooManyRequests)
  await assert.rejects(
    createClient({ baseUrl: 'http://localhost', fetch: service('1') }).getStats(),
    TooManyRequests,
  )
  const abort = new AbortController()
  const abortable = createClient({
    baseUrl: 'http://localhost',
    fetch: service('60'),
    onRetry: () => setImmediate(() => abort.abort()),
    signal: abort.signal,
  })
  await assert.rejects(abortable.getStats(), /abort/i)
})
