import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createClient } from '#src/client/client.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'

let api: TestApp
let baseUrl: string
before(async () => {
  api = await testApp()
  baseUrl = await api.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => api.close())

const REQUESTS = Number(process.env.IDEMPOTENCY_REQUESTS ?? 64)

type Method = 'POST' | 'PATCH' | 'DELETE'
const send = (method: Method, url: string, body: unknown, key: string, headers = {}) =>
  api.call(method, url, body, {
    headers: { 'x-user-email': 'ada@example.com', 'idempotency-key': key, ...headers },
  })
const total = async (search: string) =>
  (await api.call('GET', `/api/companies?search=${search}`)).body.pagination.total

test('parallel requests with one key have one effect and one response', async () => {
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, () => send('POST', '/api/companies', { name: 'Parallel' }, 'parallel')),
  )
  const created = answers.filter(({ status }) => status === 201)
  for (const { status, headers } of answers.filter(({ status }) => status !== 201)) {
    assert.equal(status, 409)
    assert.equal(headers['retry-after'], '1')
  }
  assert.equal(new Set(created.map(({ body }) => body.data.id)).size, 1)
  assert.equal(created.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1)
  assert.equal(await total('parallel'), 1)
  const replayed = await send('POST', '/api/companies', { name: 'Parallel' }, 'parallel')
  const first = created.find(({ headers }) => headers['idempotency-replayed'] === undefined)
  assert.equal(replayed.status, 201)
  assert.deepEqual(replayed.body, first?.body)
  assert.equal(replayed.headers['idempotency-replayed'], 'true')
  assert.equal(replayed.headers['x-action-id'], first?.headers['x-action-id'])
})

test('a key belongs to one caller, one route and one payload', async () => {
  const make = (key: string, name: string, headers = {}) =>
    send('POST', '/api/companies', { name }, key, headers)
  const { body } = await make('shared', 'Shared')
  const other = await make('shared', 'Not shared')
  assert.equal(other.status, 422)
  assert.match(other.body.details, /already used with another request/)
  const ben = await make('shared', 'Shared', { 'x-user-email': 'ben@example.com' })
  assert.notEqual(ben.body.data.id, body.data.id)
  const { id } = body.data
  assert.equal((await send('PATCH', `/api/companies/${id}`, { status: 'inactive' }, 'shared')).status, 200)
  const elsewhere = await send(
    'PATCH',
    `/api/companies/${ben.body.data.id}`,
    { status: 'inactive' },
    'shared',
  )
  assert.equal(elsewhere.status, 422)
})

test('a failed request leaves its key free', async () => {
  const failed = await send('POST', '/api/companies', { name: 'Retry', thesis_id: 'th_none' }, 'retry')
  assert.equal(failed.status, 400)
  assert.equal((await send('POST', '/api/companies', { name: 'Retry' }, 'retry')).status, 201)
})

test('writes of several statements and deletions are stored with their effect', async () => {
  const { id } = (await send('POST', '/api/theses', { code: 'KEY', title: 'Key' }, 'thesis')).body.data
  const change = () => send('PATCH', `/api/theses/${id}`, { title: 'Changed' }, 'change')
  const changed = await change()
  assert.equal(changed.status, 200)
  await api.call('PATCH', `/api/theses/${id}`, { title: 'Changed again' })
  assert.deepEqual((await change()).body, changed.body)
  const remove = () => send('DELETE', `/api/theses/${id}`, undefined, 'remove')
  assert.deepEqual([(await remove()).status, (await remove()).status], [204, 204])
  const ids = [(await send('POST', '/api/companies', { name: 'Bulk' }, 'bulk')).body.data.id]
  const start = () =>
    send('POST', '/api/bulk-actions', { action_type: 'generate_embeddings', company_ids: ids }, 'start')
  assert.equal((await start()).body.data.id, (await start()).body.data.id)
})

test('imports and undos repeat their report', async () => {
  const file = (csv: string) =>
    api.call('POST', '/api/companies/import', undefined, {
      headers: { 'x-user-email': 'ada@example.com', 'idempotency-key': 'file', 'content-type': 'text/csv' },
      payload: csv,
    })
  const first = await file('name\nImported once\n')
  assert.equal(first.body.data.created, 1)
  const again = await file('name\nImported once\n')
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.deepEqual(again.body, first.body)
  assert.equal((await file('name\nAnother\n')).status, 422)
  const undo = () => send('POST', `/api/actions/${first.body.data.action_id}/undo`, {}, 'undo')
  const undone = await undo()
  assert.equal(undone.body.data.reverted, 1)
  assert.deepEqual((await undo()).body, undone.body)
})

test('an import that stops early reads its file to the end, so that a repetition is recognized', async () => {
  const malformed = `name,website\n${'x,"a\n'.repeat(1_500_000)}`
  for (const dryRun of [true, false]) {
    const repeat = async (csv: string) => {
      const answer = await fetch(`${baseUrl}/api/companies/import?dry_run=${dryRun}`, {
        method: 'POST',
        headers: { 'content-type': 'text/csv', 'idempotency-key': `malformed ${dryRun}` },
        body: csv,
      })
      return {
        status: answer.status,
        replayed: answer.headers.get('idempotency-replayed'),
        ...(await answer.json()),
      }
    }
    const first = await repeat(malformed)
    assert.deepEqual([first.status, first.replayed], [200, null])
    const again = await repeat(malformed)
    assert.deepEqual([again.replayed, again.data], ['true', first.data])
    assert.equal((await repeat(`${malformed}x`)).status, 422)
  }
})

test('a key is 1 to 255 printable characters, kept for 24 hours', async () => {
  for (const key of ['x'.repeat(256), 'é', 'a\tb']) {
    const { status, body } = await send('POST', '/api/companies', { name: 'Key' }, key)
    assert.equal(status, 400)
    assert.match(body.details, /Idempotency-Key must be text of 1 to 255 characters/)
  }
  const make = () => send('POST', '/api/companies', { name: 'A day' }, 'y'.repeat(255))
  const { id } = (await make()).body.data
  await sql`update idempotency_keys set created_at = created_at - interval '25 hours'`.execute(api.context.db)
  assert.notEqual((await make()).body.data.id, id)
})

test('the client repeats a request whose connection was dropped', async () => {
  let sent = 0
  const dropping: typeof fetch = async (address, request) => {
    const response = await fetch(address, request)
    sent += 1
    if (sent === 1) throw new TypeError('the connection was dropped')
    return response
  }
  const client = createClient({ baseUrl, headers: { 'x-user-email': 'ada@example.com' }, fetch: dropping })
  await client.createCompany({ body: { name: 'Dropped connection' } })
  assert.equal(sent, 2)
  assert.equal(await total('dropped+connection'), 1)
})

test('a repeated request is not answered about a private note that the caller can no longer see', async () => {
  await userWithRole(api, 'ben@example.com', 'member')
  const { id: company } = (await api.call('POST', '/api/companies', { name: 'Confidential' })).body.data
  const { body } = await send(
    'POST',
    '/api/notes',
    {
      body: 'Secret.',
      about: [{ type: 'company', id: company }],
      visibility: 'private',
      mentions: ['ben@example.com'],
    },
    'private',
  )
  const { id } = body.data
  const change = () =>
    send('PATCH', `/api/notes/${id}`, { title: 'Read' }, 'private', { 'x-user-email': 'ben@example.com' })
  assert.equal((await change()).body.data.body, 'Secret.')
  const replayed = await change()
  assert.equal(replayed.headers['idempotency-replayed'], 'true')
  assert.equal(replayed.body.data.body, 'Secret.')
  await send('PATCH', `/api/notes/${id}`, { mentions: [] }, 'alone')
  const refused = await change()
  assert.equal(refused.status, 404)
  assert.equal(refused.body.details, `No record has the id ${id}.`)
  assert.equal(refused.headers['idempotency-replayed'], undefined)
})
