import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { anonymous, assertError, newUser, send } from './client.ts'
import { developmentService, productionService } from './services.ts'

describe('7. Errors: {error: string, details: string}', () => {
  let broken: TestApp
  before(async () => {
    broken = await testApp({ EMBEDDINGS: 'off' })
  })
  after(() => broken.close())

  test('400 validation failed', async () => {
    await assertError(newUser().post('/api/companies', {}), 400, /name/)
  })

  test('401 unauthorized (no valid session or identity)', async () => {
    await assertError(anonymous(productionService()).get('/api/companies'), 401)
  })

  test('404 resource not found', async () => {
    const client = newUser()
    for (const path of ['companies/cmp_none', 'theses/th_none', 'bulk-actions/ba_none', 'nothing'])
      await assertError(client.get(`/api/${path}`), 404, /./)
  })

  test('500 internal error', async () => {
    const { db } = broken.context
    db.transaction = () => {
      throw new Error('select secret from table')
    }
    const { status, body } = await broken.call('PATCH', '/api/dealflow/df_x', { stage: 'meeting' })
    assert.equal(status, 500)
    assert.deepEqual(Object.keys(body).sort(), ['details', 'error'])
    assert.doesNotMatch(JSON.stringify(body), /secret/)
  })

  test('503 dependency unavailable, for example the vector index is not configured (semantic search)', async () => {
    const { status, body } = await broken.call('GET', '/api/companies/search/semantic?q=robots')
    assert.equal(status, 503)
    assert.deepEqual(Object.keys(body).sort(), ['details', 'error'])
  })
})

describe('7. Errors, what the contract leaves open', () => {
  const malformed = (body: string, type?: string) => () =>
    send(`${developmentService().url}/api/companies`, {
      method: 'POST',
      headers: type ? { 'content-type': type } : {},
      body: new TextEncoder().encode(body),
    })
  for (const [what, ask, status, details] of [
    ['malformed JSON', malformed('{"name":', 'application/json'), 400, /JSON/],
    ['a body that is not an object', malformed('[]', 'application/json'), 400, /object/],
    ['an unsupported media type', malformed('{"name": "x"}', 'text/plain'), 415, /application\/json/],
    ['a body that is too large', malformed(`"${'x'.repeat(1_100_000)}"`, 'application/json'), 413, /bytes/],
    ['an unknown route', () => anonymous().get('/api/nothing'), 404, /\/api\/nothing/],
    ['an unknown method', () => anonymous().patch('/api/stats', {}), 405, /PATCH/],
    ['a path that is not UTF-8', () => anonymous().get('/api/companies/%zz'), 400, /percent/],
  ] as const)
    test(`${what} is a ${status}`, async () => {
      await assertError(ask(), status, details)
    })

  test('JSON without a Content-Type is JSON', async () => {
    const { status, body } = await malformed('{"name": "Nordlys"}')()
    assert.deepEqual([status, body.data.name], [201, 'Nordlys'])
  })

  for (const path of ['/api/companies/cmp_none', '/api/nothing', '/assets/companies/cmp_none/profile.json'])
    test(`the error of ${path} is JSON for browsers too`, async () => {
      await assertError(newUser().get(path, { accept: 'text/html,*/*;q=0.8' }), 404)
    })

  test('an unknown page is HTML for browsers and JSON for programs', async () => {
    const { status, headers } = await anonymous().get('/nowhere', { accept: 'text/html,*/*;q=0.8' })
    assert.equal(status, 404)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    await assertError(anonymous().get('/nowhere'), 404)
  })

  for (const [mode, service, expected] of [
    ['has no response body if allowed origins are configured', productionService, 204],
    ['has an error body if none are configured', developmentService, 405],
  ] as const)
    test(`a rejected preflight ${mode}`, async () => {
      const options = (headers: Record<string, string>) =>
        send(`${service().url}/api/companies`, { method: 'OPTIONS', headers })
      const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
      for (const headers of [{}, { origin: 'https://evil.example' }, preflight] as Record<string, string>[]) {
        const answer = await options(headers)
        assert.equal(answer.status, expected)
        if (expected === 405) await assertError(answer, expected)
        else assert.equal(answer.text, '')
      }
    })
})
