import assert from 'node:assert/strict'
import os from 'node:os'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { openDatabase } from '#src/platform/database/open.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { PRODUCTION } from '#src/testing/settings.ts'

const READS = { schema: { hide: true, 'x-action': 'read' } as object }

let api: TestApp
let headers: Record<string, string>
before(async () => {
  api = await testApp({
    ...PRODUCTION,
    TRUST_PROXY: '127.0.0.1, 10.0.0.0/8',
    CORS_ORIGINS: 'https://app.example.com',
  })
  const token = await api.context.sessions.sign({ sub: 'ada', email: 'ada@example.com' })
  headers = { cookie: `service_session=${token}`, host: 'deals.example.com' }
})
after(() => api.close())

const FORWARDED = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }

test('production behind a proxy serves https, and redirects or rejects plain HTTP', async () => {
  const ask = (method: 'GET' | 'POST', proto: string, url = '/api/stats', remoteAddress = '127.0.0.1') =>
    api.call(method, url, undefined, {
      headers: { ...headers, ...FORWARDED, 'x-forwarded-proto': proto },
      remoteAddress,
    })
  assert.equal((await ask('GET', 'https')).status, 200)
  const plain = await ask('GET', 'http', '/api/stats?x=1&return=//evil.example')
  assert.equal(plain.status, 308)
  assert.equal(plain.headers.location, 'https://deals.example.com/api/stats?x=1&return=//evil.example')
  assert.equal(plain.headers['strict-transport-security'], 'max-age=31536000')
  for (const [url, location] of [
    ['//evil.example/x', 'https://deals.example.com//evil.example/x'],
    ['http://evil.example/x', 'https://deals.example.com/x'],
    ['/nowhere', 'https://deals.example.com/nowhere'],
  ] as const)
    assert.equal((await ask('GET', 'http', url)).headers.location, location)
  const posted = await ask('POST', 'http', '/api/companies')
  assert.equal(posted.status, 403)
  assert.match(posted.body.details, /requires https/)
  assert.equal((await ask('GET', 'https, http')).status, 308)
  // Other addresses cannot impersonate the proxy.
  assert.equal((await ask('GET', 'https', '/api/stats', '203.0.113.9')).status, 308)
  assert.equal((await ask('GET', 'http', '/healthz', '10.1.2.3')).status, 200)
})

test('production without a proxy rejects plain HTTP, except from localhost', async () => {
  const bare = await testApp({ ...PRODUCTION, PUBLIC_URL: '' })
  try {
    const ask = (remoteAddress: string, more = {}) =>
      bare.call('GET', '/api/auth/status', undefined, { remoteAddress, headers: { ...more } })
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.9.9.9'])
      assert.equal((await ask(address)).status, 200, address)
    for (const address of ['203.0.113.9', '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1'])
      assert.equal((await ask(address, { 'x-forwarded-proto': 'https' })).status, 403, address)
  } finally {
    await bare.close()
  }
})

test('an untrusted proxy on this machine is ignored, with one warning', async () => {
  const log: string[] = []
  const bare = await testApp(PRODUCTION, {
    log: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
  })
  try {
    const ask = async (more: Record<string, string>) =>
      (await bare.call('GET', '/api/auth/status', undefined, { headers: more })).status
    assert.equal(await ask({ 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'http' }), 308)
    assert.equal(await ask({ 'x-forwarded-for': '203.0.113.5' }), 308)
    assert.equal(await ask({ 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'https' }), 200)
    assert.equal(await ask({}), 200)
    assert.equal(log.filter((line) => /TRUST_PROXY does not include/.test(line)).length, 1)
  } finally {
    await bare.close()
  }
})

test('the same policy applies to a path that cannot be decoded', async () => {
  const ask = (proto: string) =>
    api.call('GET', '/api/%ff', undefined, {
      headers: { ...headers, ...FORWARDED, 'x-forwarded-proto': proto },
    })
  assert.equal((await ask('https')).status, 400)
  assert.equal((await ask('http')).status, 403)
})

test('a real connection from another address is redirected too', async (context) => {
  const own = Object.values(os.networkInterfaces())
    .flat()
    .find((face) => face?.family === 'IPv4' && !face.internal)
  if (!own) return context.skip('this machine has no other address')
  const bare = await testApp(PRODUCTION)
  try {
    const port = new URL(await bare.app.listen({ port: 0, host: '0.0.0.0' })).port
    const answer = await fetch(`http://${own.address}:${port}/api/auth/status`, { redirect: 'manual' })
    assert.equal(answer.status, 308)
    assert.equal(answer.headers.get('location'), 'https://deals.example.com/api/auth/status')
    assert.equal((await fetch(`http://${own.address}:${port}/healthz`)).status, 200)
  } finally {
    await bare.close()
  }
})

test('in production, pages of other origins cannot write, whatever host they send', async () => {
  const post = (origin: string, host = 'deals.example.com') =>
    api.call('POST', '/api/companies', { name: 'x' }, { headers: { ...headers, ...FORWARDED, origin, host } })
  for (const origin of [
    'https://evil.example',
    'https://deals.example.com.evil.example',
    'http://deals.example.com',
    'https://evil.example.com',
    'null',
  ])
    assert.equal((await post(origin)).status, 403, origin)
  assert.equal((await post('https://evil.example', 'evil.example')).status, 403)
  assert.equal((await post('https://deals.example.com')).status, 201)
  const allowed = await post('https://app.example.com')
  assert.equal(allowed.status, 201)
  assert.equal(allowed.headers['access-control-allow-origin'], 'https://app.example.com')
  assert.equal(allowed.headers['access-control-allow-credentials'], 'true')
})

test('an expired cookie does not block the pages and the sign-in, and is a 401 elsewhere', async () => {
  const ask = (url: string, method: 'GET' | 'POST' = 'GET') =>
    api.call(method, url, undefined, { headers: { cookie: 'service_session=old', accept: 'text/html' } })
  for (const url of ['/', '/home', '/docs/', '/healthz', '/api/auth/status'])
    assert.equal((await ask(url)).status, 200, url)
  assert.equal((await ask('/api/auth/logout', 'POST')).status, 303)
  assert.equal((await ask('/api/auth/idp')).status, 503)
  for (const url of ['/api/stats', '/api/auth/me', '/api/nothing', '/assets/x'])
    assert.equal((await ask(url)).status, 401, url)
})

test('in development, requests without a user are served, except for /me', async () => {
  const development = await testApp()
  try {
    const ask = (url: string, more = {}) => development.call('GET', url, undefined, { headers: { ...more } })
    assert.equal((await ask('/api/stats')).status, 200)
    const nobody = await ask('/api/auth/me')
    assert.equal(nobody.status, 401)
    assert.match(nobody.body.details, /Nobody is signed in/)
    const { body } = await ask('/api/auth/me', { 'x-user-email': 'Ada@Example.com' })
    assert.deepEqual(
      [body.data.email, body.data.signed_in_by, body.data.session_expires_at],
      ['ada@example.com', 'header', null],
    )
    assert.equal((await ask('/api/stats', { cookie: 'service_session=x' })).status, 401)
    assert.equal((await ask('/api/stats', { authorization: 'Bearer x' })).status, 401)
  } finally {
    await development.close()
  }
})

test('huge cookies are rejected without harming the service', async () => {
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const ask = (length: number) =>
    fetch(`${address}/api/stats`, { headers: { cookie: `service_session=${'x'.repeat(length)}` } })
  assert.equal((await ask(5000)).status, 401)
  assert.equal((await ask(60_000)).status, 401)
  const refused = await ask(100_000)
  assert.equal(refused.status, 431)
  assert.deepEqual(Object.keys((await refused.json()) as object), ['error', 'details'])
  assert.equal((await fetch(`${address}/healthz`)).status, 200)
})

test('a process that has never read who has access accepts no credential', async () => {
  const database = await openDatabase({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    dataFolder: '',
  })
  const down = await testApp(PRODUCTION, { database })
  down.app.get('/api/who', READS, async ({ user }) => user?.email)
  try {
    const ask = (url: string) => down.call('GET', url, undefined, { headers })
    const refused = await ask('/api/who')
    assert.equal(refused.status, 503)
    assert.match(refused.body.details, /^The database cannot be reached/)
    assert.equal((await ask('/api/auth/me')).status, 503)
    assert.equal((await ask('/api/auth/status')).status, 200)
    assert.equal((await down.call('GET', '/api/who', undefined, { headers: {} })).status, 401)
  } finally {
    await down.close()
  }
})

test('an invalid response header becomes an error with the standard headers', async () => {
  const broken = await testApp()
  broken.app.get('/api/broken', READS, async (_request, reply) =>
    reply.header('x-broken', 'two\nlines').send({}),
  )
  try {
    const address = await broken.app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${address}/api/broken`, { headers: { 'x-request-id': 'of-mine' } })
    assert.equal(answer.status, 500)
    assert.deepEqual(Object.keys((await answer.json()) as object), ['error', 'details'])
    for (const [name, value] of [
      ['x-content-type-options', 'nosniff'],
      ['x-request-id', 'of-mine'],
      ['cache-control', 'no-store'],
      ['x-broken', null],
    ] as const)
      assert.equal(answer.headers.get(name), value, name)
  } finally {
    await broken.close()
  }
})
