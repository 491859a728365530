import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { migrations } from './migrations/migrations.ts'
import { endIfTooNew } from './platform/database/newer-schema.ts'
import { type TestApp, testApp } from './testing/app.ts'
import { eventually } from './testing/eventually.ts'
import { PRODUCTION } from './testing/settings.ts'

const OPEN = { schema: { hide: true, 'x-open': true } as object }

let api: TestApp
before(async () => {
  api = await testApp({ CORS_ORIGINS: 'https://app.example.com' })
})
after(() => api.close())

let address: Promise<string> | undefined
/** The URL where the application listens. */
const listening = () => {
  address ??= api.app.listen({ port: 0, host: '127.0.0.1' })
  return address
}

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '1; mode=block',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const STRICTEST_POLICY = "default-src 'none'; frame-ancestors 'none'"

test('every response has the security headers and a request id, whatever its status', async () => {
  for (const [method, url] of [
    ['GET', '/'],
    ['GET', '/healthz'],
    ['GET', '/openapi.json'],
    ['GET', '/docs/'],
    ['GET', '/api/stats'],
    ['GET', '/api/companies?limit=x'],
    ['GET', '/nowhere'],
    ['GET', '/api/%zz'],
    ['POST', '/api/companies'],
  ] as const) {
    const { headers } = await api.call(method, url)
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      assert.equal(headers[name], value, `${url} ${name}`)
    assert.equal(headers['strict-transport-security'], undefined)
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, url)
    if (url !== '/docs/') assert.equal(headers['content-security-policy'], STRICTEST_POLICY, url)
  }
})

test('pages have a content security policy that allows no inline script without a hash', async () => {
  for (const url of ['/', '/docs/']) {
    const { headers } = await api.call('GET', url, undefined, { headers: { accept: 'text/html' } })
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; /, url)
    assert.match(policy, /; base-uri 'none'; frame-ancestors 'none'$/, url)
    assert.doesNotMatch(policy, /script-src[^;]*'unsafe-/, url)
  }
})

test("a client's request id is returned if it is safe", async () => {
  const ask = async (id: string) =>
    (await api.call('GET', '/healthz', undefined, { headers: { 'x-request-id': id } })).headers[
      'x-request-id'
    ]
  assert.equal(await ask('trace-1.a:b_c'), 'trace-1.a:b_c')
  assert.notEqual(await ask('x'.repeat(129)), 'x'.repeat(129))
  assert.notEqual(await ask('<script>'), '<script>')
})

test('errors have one format and explain what is wrong', async () => {
  const json = { 'content-type': 'application/json' }
  const cases: [string, Parameters<TestApp['call']>, number, string, RegExp][] = [
    ['unknown route', ['GET', '/api/nothing'], 404, 'Not found', /No route matches GET \/api\/nothing/],
    [
      'malformed JSON',
      ['POST', '/api/companies', undefined, { payload: '{"name":', headers: json }],
      400,
      'Validation failed',
      /not valid JSON/,
    ],
    ['no body', ['POST', '/api/companies'], 400, 'Validation failed', /body/],
    [
      'empty body',
      ['POST', '/api/companies', undefined, { payload: '', headers: json }],
      400,
      'Validation failed',
      /body/i,
    ],
    ['an array', ['POST', '/api/companies', []], 400, 'Validation failed', /The body must be an object/],
    [
      'wrong type',
      ['POST', '/api/companies', { name: 5 }],
      400,
      'Validation failed',
      /name must be text of 1 to 500 characters that is not blank, not 5/,
    ],
    ['no name', ['POST', '/api/companies', {}], 400, 'Validation failed', /name is required/],
    [
      'unknown field',
      ['POST', '/api/companies', { name: 'x', nmae: 1 }],
      400,
      'Validation failed',
      /nmae is not a known field. Known here: name, country/,
    ],
    [
      'poisoned prototype',
      ['POST', '/api/companies', undefined, { payload: '{"name":"x","__proto__":{}}', headers: json }],
      400,
      'Validation failed',
      /^The body must not contain the key __proto__/,
    ],
    [
      'too large',
      ['POST', '/api/companies', { name: 'x'.repeat(1_100_000) }],
      413,
      'Payload too large',
      /1048576 bytes/,
    ],
    [
      'media type',
      ['POST', '/api/companies', undefined, { payload: 'name=x', headers: { 'content-type': 'text/plain' } }],
      415,
      'Unsupported media type',
      /Content-Type/,
    ],
    ['bad path', ['GET', '/api/companies/%zz'], 400, 'Validation failed', /percent-encoded/],
    ['NUL in a path', ['GET', '/api/companies/%00'], 400, 'Validation failed', /NUL/],
    [
      'too deep',
      [
        'POST',
        '/api/companies',
        undefined,
        { payload: `{"name":"x","financials":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`, headers: json },
      ],
      400,
      'Validation failed',
      /nested deeper/,
    ],
    [
      'invalid user',
      ['GET', '/api/stats', undefined, { headers: { 'x-user-email': 'nobody' } }],
      401,
      'Unauthorized',
      /X-User-Email/,
    ],
  ]
  for (const [name, request, status, error, details] of cases) {
    const answer = await api.call(...request)
    assert.equal(answer.status, status, `${name}: ${JSON.stringify(answer.body)}`)
    assert.deepEqual(Object.keys(answer.body).sort(), ['details', 'error'], name)
    assert.equal(answer.body.error, error, name)
    assert.match(answer.body.details, details, name)
    assert.match(String(answer.headers['content-type']), /^application\/json/, name)
  }
})

test('invalid HTTP is answered in the same format', async () => {
  const address = await listening()
  const ask = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = net.connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (data) => {
        answer += data
      })
      socket.on('close', () => resolve(answer))
      // The service may reset the connection after its answer, because it does not read the rest.
      socket.on('error', () => {})
    })
  const malformed = await ask('GET / HTTP/1.1\r\nbad header\r\n\r\n')
  assert.match(malformed, /^HTTP\/1\.1 400 /)
  assert.match(malformed, /x-frame-options: DENY/)
  assert.match(malformed, /\r\n\r\n\{"error":"Validation failed","details":"[^"]+"\}$/)
  const large = await ask(`GET / HTTP/1.1\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)
  assert.match(large, /^HTTP\/1\.1 431 .*x-request-id: .*"error":"Request Header Fields Too Large"/s)
})

test('CORS is limited to the whitelist', async () => {
  const from = async (origin: string, method: 'GET' | 'OPTIONS' = 'GET') => {
    const headers = {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'content-type',
    }
    const { headers: answered, statusCode } = await api.app.inject({ method, url: '/api/stats', headers })
    return { status: statusCode, ...answered }
  }
  const allowed = await from('https://app.example.com')
  assert.equal(allowed['access-control-allow-origin'], 'https://app.example.com')
  assert.equal(allowed['access-control-allow-credentials'], 'true')
  const listed = (header: unknown) => String(header).toLowerCase().split(', ')
  for (const name of ['x-request-id', 'etag', 'last-modified', 'content-range', 'accept-ranges', 'warning'])
    assert.ok(listed(allowed['access-control-expose-headers']).includes(name), name)
  assert.equal((await from('https://evil.example.com'))['access-control-allow-origin'], undefined)
  const preflight = await from('https://app.example.com', 'OPTIONS')
  assert.equal(preflight.status, 204)
  assert.match(String(preflight['access-control-allow-methods']), /PATCH/)
  for (const name of ['range', 'if-range', 'if-none-match', 'if-modified-since'])
    assert.ok(listed(preflight['access-control-allow-headers']).includes(name), name)
  assert.equal((await from('https://evil.example.com', 'OPTIONS'))['access-control-allow-origin'], undefined)
})

test('pages of other origins cannot change data', async () => {
  const post = (origin: string) =>
    api.call('POST', '/api/companies', { name: 'x' }, { headers: { origin, host: 'localhost:3000' } })
  assert.equal((await post('https://evil.example.com')).status, 403)
  assert.equal((await post('null')).status, 403)
  assert.equal((await post('https://app.example.com')).status, 201)
  assert.equal((await post('http://localhost:3000')).status, 201)
})

test('an unknown host name is rejected in development', async () => {
  const proxied = await testApp({ TRUST_PROXY: 'true' })
  try {
    const headers = { host: 'evil.example:3000', 'x-forwarded-host': 'localhost' }
    for (const one of [api, proxied]) {
      const { status, body } = await one.call('GET', '/api/stats', undefined, { headers })
      assert.equal(status, 403)
      assert.match(body.details, /only answers on localhost/)
    }
  } finally {
    await proxied.close()
  }
})

test('a thousand ids fit into a query', async () => {
  const ids = Array.from({ length: 1000 }, (_value, n) => `cmp_${String(n).padStart(26, '0')}`).join(',')
  const answer = await fetch(`${await listening()}/api/companies?ids=${ids}`)
  assert.equal(answer.status, 200)
})

test('production: only signed-in users, no development header, and HSTS', async () => {
  const production = await testApp(PRODUCTION)
  try {
    for (const url of [
      '/api/stats',
      '/api/companies',
      '/%61pi/stats',
      'http://x/api/stats',
      '/api/nothing',
      '/assets/companies/x/profile.json',
    ]) {
      const { status, body, headers } = await production.call('GET', url)
      assert.equal(status, 401, url)
      assert.equal(body.error, 'Unauthorized')
      assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    }
    assert.equal((await production.call('GET', '/healthz')).status, 200)
  } finally {
    await production.close()
  }
})

test('the log has one line per request, with the user and address and without the query', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const logged = await testApp({}, { log })
  try {
    await logged.call('GET', '/api/companies?search=Jane%20Doe')
    assert.equal(lines.length, 1)
    const { method, route, status, user, address, ...others } = JSON.parse(lines[0] as string)
    assert.deepEqual(
      [method, route, status, user, address],
      ['GET', '/api/companies', 200, 'ada@example.com', '127.0.0.1'],
    )
    const { request_id, milliseconds } = others
    assert.equal(typeof request_id, 'string')
    assert.equal(typeof milliseconds, 'number')
    assert.doesNotMatch(lines[0] as string, /Jane/)
    assert.ok(!('reason' in others))
  } finally {
    await logged.close()
  }
})

test('/ is a page for browsers and JSON for programs', async () => {
  const page = await api.call('GET', '/', undefined, { headers: { accept: 'text/html' } })
  assert.match(page.body, /<a href="\/docs">/)
  assert.equal((await api.call('GET', '/')).body.name, 'deal-pipeline')
})

test('metrics count requests by route', async () => {
  await api.call('GET', '/api/companies/cmp_x')
  const body = await api.context.metrics.registry.metrics()
  assert.match(
    body,
    /http_request_duration_seconds_count\{method="GET",route="\/api\/companies\/:id",status="404"\}/,
  )
  assert.match(body, /process_resident_memory_bytes/)
})

test('an interrupted response is logged and counted once', async () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(JSON.parse(line).msg)
  const logged = await testApp({}, { log: pino({ level: 'info' }, { write }) })
  const answered = () => lines.filter((line) => line.includes('/api/'))
  const { app } = logged
  const handler = new EventEmitter()
  app.get('/api/half', OPEN, (_request, reply) => {
    const body = new PassThrough()
    body.write('half of it')
    reply.send(body)
  })
  app.get('/api/never', OPEN, async (_request, reply) => {
    handler.emit('never')
    await once(handler, 'left')
    return reply.send('too late')
  })
  try {
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const half = await fetch(`${url}/api/half`)
    await half.body?.cancel()
    const leave = new AbortController()
    const never = fetch(`${url}/api/never`, { signal: leave.signal })
    await once(handler, 'never')
    leave.abort()
    await assert.rejects(never)
    await eventually(() => assert.equal(answered().length, 2))
    handler.emit('left')
    const metrics = await logged.context.metrics.registry.metrics()
    for (const route of ['/api/half', '/api/never'])
      assert.ok(metrics.includes(`count{method="GET",route="${route}",status="cut_off"} 1`), route)
    assert.deepEqual(answered(), ['GET /api/half 200, cut off', 'GET /api/never, cut off'])
  } finally {
    await logged.close()
  }
})

test('requests during shutdown are served', async () => {
  const stopping = await testApp()
  const events = new EventEmitter()
  stopping.app.addHook('preClose', async () => {
    events.emit('stopping')
    await once(events, 'go on')
  })
  const url = await stopping.app.listen({ port: 0, host: '127.0.0.1' })
  const isStopping = once(events, 'stopping')
  const closed = stopping.close()
  await isStopping
  const answer = await fetch(`${url}/api/companies`)
  assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close'])
  assert.deepEqual(Object.keys((await answer.json()) as object), ['data', 'pagination'])
  events.emit('go on')
  await closed
})

test('readiness reports missing migrations', async () => {
  assert.equal((await api.call('GET', '/readyz')).body.status, 'ready')
  await api.context.db.deleteFrom('kysely_migration' as never).execute()
  const { status, body } = await api.call('GET', '/readyz')
  assert.equal(status, 503)
  assert.match(body.details, /is missing migrations: 0001_initial/)
})

test('once a newer version has taken over the database, requests are refused with the reason', async () => {
  const newer = await testApp()
  try {
    await sql`insert into kysely_migration values ('9999_later', '2030-01-01T00:00:00Z')`.execute(
      newer.context.db,
    )
    await sql`update schema_requirements set oldest_migration = '9999_later'`.execute(newer.context.db)
    await endIfTooNew(
      newer.context.probeDb,
      migrations,
      newer.context.log,
      newer.context.schemaRefusal,
      () => {},
    )
    for (const [method, url] of [
      ['POST', '/api/companies'],
      ['GET', '/api/companies'],
      ['GET', '/readyz'],
      ['POST', '/nowhere'],
    ] as const) {
      const { status, body } = await newer.call(method, url, method === 'POST' ? { name: 'Late' } : undefined)
      assert.equal(status, 503, url)
      assert.match(body.details, /^The database has the migration 9999_later, which version /)
    }
    assert.equal((await newer.call('GET', '/healthz')).status, 200)
    const { rows } = await sql`select from companies`.execute(newer.context.db)
    assert.equal(rows.length, 0)
  } finally {
    await newer.close()
  }
})

test('/healthz, the OpenAPI document, and the changelog name the version of package.json', async () => {
  const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  assert.deepEqual((await api.call('GET', '/healthz')).body, { status: 'alive', version })
  assert.equal((await api.call('GET', '/openapi.json')).body.info.version, version)
  assert.match(read('CHANGELOG.md'), new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'))
})
