import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import net from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { pino } from 'pino'
import { loadConfig } from '#src/platform/config/config.ts'
import { SESSION_COOKIE } from '#src/platform/identity/session-cookie.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import type { RateClass } from '#src/platform/schema/shapes.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { ada, NO_RATE_LIMITS, PRODUCTION } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'
import { callerOf, createRateLimits } from './rate-limits.ts'

const LIMITS = { RATE_LIMIT_STANDARD: '4', RATE_LIMIT_WEB_APP: '7', RATE_LIMIT_AI: '3', RATE_LIMIT_BULK: '2' }
/** On a machine that is several times slower than usual. */
const PATIENT_MS = 60_000
const redisServer = '/usr/bin/redis-server'
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

interface Limited extends TestApp {
  log: string[]
  /** Sends this many requests and returns their statuses. */
  ask(
    times: number,
    headers?: Record<string, string>,
    url?: string,
    remoteAddress?: string,
  ): Promise<number[]>
}

/** The application with low limits and a route for each class. */
async function limitedApp(
  settings: Record<string, string> = {},
  redisTimeoutMs = PATIENT_MS,
): Promise<Limited> {
  const log: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) })
  const all = { ...LIMITS, ...settings }
  const limits = await createRateLimits(loadConfig({ ...NO_RATE_LIMITS, ...all }), logger, redisTimeoutMs)
  const api = await testApp(all, { log: logger, limits })
  for (const rateClass of ['standard', 'ai', 'bulk'] satisfies RateClass[]) {
    const schema = { hide: true, 'x-rate-class': rateClass, 'x-action': 'read' } as object
    api.app.get(`/api/of-class/${rateClass}`, { schema }, async () => ({}))
  }
  return {
    ...api,
    log,
    ask: async (times, headers = {}, url = '/api/stats', remoteAddress = '127.0.0.1') => {
      const statuses: number[] = []
      for (let n = 0; n < times; n++)
        statuses.push((await api.call('GET', url, undefined, { headers, remoteAddress })).status)
      return statuses
    },
  }
}

const as = (email: string) => ({ 'x-user-email': email })
/** What browsers add to the requests of the page that the service has served. */
const fromPage = (headers: Record<string, string> = {}) => ({ ...headers, 'sec-fetch-site': 'same-origin' })
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

test('each class has a limit per user and reports the remaining requests', async () => {
  const api = await limitedApp()
  try {
    assert.deepEqual(await api.ask(5, as('a@x.example'), '/api/of-class/standard'), [200, 200, 200, 200, 429])
    assert.deepEqual(await api.ask(4, as('a@x.example'), '/api/of-class/ai'), [200, 200, 200, 429])
    assert.deepEqual(await api.ask(3, as('a@x.example'), '/api/of-class/bulk'), [200, 200, 429])
    const fresh = await api.call('GET', '/api/stats', undefined, { headers: as('b@x.example') })
    assert.deepEqual(
      ['limit', 'remaining', 'reset'].map((name) => fresh.headers[`ratelimit-${name}`]),
      ['4', '3', '60'],
    )
    assert.equal(fresh.headers['retry-after'], undefined)
    const refused = await api.call('GET', '/api/stats', undefined, { headers: as('a@x.example') })
    assert.equal(refused.status, 429)
    assert.equal(refused.body.error, 'Too many requests')
    assert.match(refused.body.details, /^The limit is 4 requests per minute. Try again in \d+ seconds\.$/)
    const wait = Number(refused.headers['retry-after'])
    assert.ok(wait >= 1 && wait <= 60)
    assert.equal(refused.headers['ratelimit-remaining'], '0')
    assert.equal(refused.headers['x-content-type-options'], 'nosniff')
  } finally {
    await api.close()
  }
})

test('pages of the web app have a limit of their own, and keep the other classes', async () => {
  const api = await limitedApp()
  try {
    const user = as('a@x.example')
    const page = await api.ask(8, fromPage(user))
    assert.deepEqual([count(page, 200), count(page, 429)], [7, 1])
    assert.deepEqual(await api.ask(5, user), [200, 200, 200, 200, 429])
    assert.deepEqual(await api.ask(4, fromPage(user), '/api/of-class/ai'), [200, 200, 200, 429])
    assert.deepEqual(await api.ask(3, fromPage(user), '/api/of-class/bulk'), [200, 200, 429])
    const refused = await api.call('GET', '/api/stats', undefined, { headers: fromPage(user) })
    assert.match(refused.body.details, /^The limit is 7 requests per minute\./)
    // The web app in development, before a user is chosen.
    assert.equal(count(await api.ask(8, fromPage()), 200), 7)
    for (const site of ['cross-site', 'same-site', 'none', 'guess']) {
      const headers = { ...as(`${site}@x.example`), 'sec-fetch-site': site }
      assert.deepEqual(await api.ask(5, headers), [200, 200, 200, 200, 429], site)
    }
  } finally {
    await api.close()
  }
})

test('in production, a session cookie or a gateway makes a page the web app, and a token or key never does', async () => {
  const gateway = await startGateway()
  const api = await limitedApp({ ...PRODUCTION, ...gateway.settings })
  try {
    const limitOf = async (headers: Record<string, string>) =>
      (await api.call('GET', '/api/stats', undefined, { headers })).headers['ratelimit-limit']
    const token = await api.context.sessions.sign({ sub: 'x', email: ada })
    const cookie = { cookie: `${SESSION_COOKIE}=${token}` }
    const newKey = { name: 'Script', scopes: ['read'] }
    const key = (await api.call('POST', '/api/keys', newKey, { headers: cookie })).body.data.key
    assert.equal(await limitOf(fromPage(cookie)), '7')
    assert.equal(await limitOf(fromPage({ 'cf-access-jwt-assertion': await gateway.sign(ada) })), '7')
    assert.equal(await limitOf(cookie), '4')
    for (const credential of [token, key])
      assert.equal(await limitOf(fromPage({ authorization: `Bearer ${credential}` })), '4')
    // Guesses, and callers without a credential.
    assert.equal(await limitOf(fromPage({ authorization: 'Bearer guess' })), '4')
    assert.equal(await limitOf(fromPage()), '4')
    assert.equal(await limitOf(fromPage(as(ada))), '4')
  } finally {
    await api.close()
    await gateway.close()
  }
})

test('a rejected bulk action request of the web app counts as one of its standard requests', async () => {
  const api = await limitedApp()
  try {
    const headers = fromPage(as('a@x.example'))
    const refused = await api.call('POST', '/api/bulk-actions', {}, { headers })
    assert.deepEqual(
      [refused.status, refused.headers['ratelimit-limit'], refused.headers['ratelimit-remaining']],
      [400, '7', '6'],
    )
    assert.equal(count(await api.ask(8, headers), 200), 6)
  } finally {
    await api.close()
  }
})

test('rejected bulk action requests count as standard, accepted ones as bulk', async () => {
  const api = await limitedApp({ RATE_LIMIT_STANDARD: '6' })
  try {
    const { id } = (await api.call('POST', '/api/companies', { name: 'Acme' })).body.data
    const start = (company_id: string) =>
      api.call('POST', '/api/bulk-actions', { action_type: 'generate_embeddings', company_ids: [company_id] })
    const refused = [await start('cmp_none'), await start('cmp_none'), await start('cmp_none')]
    assert.deepEqual(
      refused.map(({ status, headers }) => [
        status,
        headers['ratelimit-limit'],
        headers['ratelimit-remaining'],
      ]),
      [
        [400, '6', '4'],
        [400, '6', '3'],
        [400, '6', '2'],
      ],
    )
    const started = [await start(id), await start(id), await start(id)]
    assert.deepEqual(
      started.map(({ status, headers }) => [status, headers['ratelimit-limit']]),
      [
        [201, '2'],
        [201, '2'],
        [429, '2'],
      ],
    )
    assert.deepEqual(await api.ask(3, as('ada@example.com')), [200, 200, 429])
  } finally {
    await api.close()
  }
})

test('rejected bulk action requests are limited too', async () => {
  const api = await limitedApp()
  try {
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) statuses.push((await api.call('POST', '/api/bulk-actions', {})).status)
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 400, 429, 429])
  } finally {
    await api.close()
  }
})

test('the authentication status is not rate limited', async () => {
  const api = await limitedApp()
  try {
    assert.equal(count(await api.ask(10, as('a@x.example'), '/api/auth/status'), 200), 10)
  } finally {
    await api.close()
  }
})

test('the limit resets after a minute', async (context) => {
  const api = await limitedApp()
  try {
    await api.ask(5, as('a@x.example'))
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_500 })
    assert.deepEqual(await api.ask(1, as('a@x.example')), [200])
  } finally {
    context.mock.timers.reset()
    await api.close()
  }
})

test('a limit cannot be evaded', async () => {
  const api = await limitedApp()
  try {
    const cases: [string, number[]][] = [
      [
        'case of the email address',
        (
          await Promise.all(
            ['Case@x.example', 'case@X.example', 'CASE@x.example'].map((e) => api.ask(2, as(e))),
          )
        ).flat(),
      ],
      [
        'untrusted forwarded addresses',
        (
          await Promise.all(
            [1, 2, 3, 4, 5, 6].map((n) =>
              api.ask(
                1,
                { 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` },
                '/api/stats',
                '198.51.100.1',
              ),
            ),
          )
        ).flat(),
      ],
      [
        'addresses in one IPv6 network',
        (
          await Promise.all(
            [1, 2, 3, 4, 5, 6].map((n) => api.ask(1, {}, '/api/stats', `2001:db8:1:2:${n}::${n}`)),
          )
        ).flat(),
      ],
      [
        'spellings of an address',
        (
          await Promise.all(
            ['198.51.100.2', '::ffff:198.51.100.2', '::ffff:c633:6402'].map((address) =>
              api.ask(2, {}, '/api/stats', address),
            ),
          )
        ).flat(),
      ],
      [
        'spellings of a path',
        (
          await Promise.all(
            [
              '/api/stats',
              '/api/stats?',
              '/%61pi/stats',
              '/api/sta%74s',
              'http://localhost/api/stats',
              '/api/stats#x',
            ].map((url) => api.ask(1, as('path@x.example'), url)),
          )
        ).flat(),
      ],
    ]
    for (const [name, statuses] of cases) assert.equal(count(statuses, 429), 2, `${name}: ${statuses}`)
    assert.deepEqual(await api.ask(5, as('u@x.example'), '/api/nothing'), [404, 404, 404, 404, 429])
    assert.deepEqual(await api.ask(5, as('v@x.example'), '/nothing/else'), [404, 404, 404, 404, 429])
    assert.deepEqual(await api.ask(5, as('w@x.example'), '/%2e%2e/x'), [404, 404, 404, 404, 429])
    assert.deepEqual(await api.ask(5, {}, '/api/%ff', '198.51.100.9'), [400, 400, 400, 400, 429])
    assert.deepEqual(
      await api.ask(5, { authorization: 'Bearer guess' }, '/api/stats', '198.51.100.3'),
      [401, 401, 401, 401, 429],
    )
    assert.deepEqual(await api.ask(3, as('x@x.example'), '/api/companies?limit=x'), [400, 400, 400])
    assert.equal(count(await api.ask(20, {}, '/healthz', '198.51.100.4'), 200), 20)
  } finally {
    await api.close()
  }
})

test('behind a trusted proxy, each client address has its own limit', async () => {
  const api = await limitedApp({ TRUST_PROXY: '127.0.0.1' })
  try {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    assert.deepEqual(await api.ask(5, from('203.0.113.1')), [200, 200, 200, 200, 429])
    assert.deepEqual(await api.ask(1, from('203.0.113.2')), [200])
    // Some proxies append the client's port.
    assert.deepEqual(await api.ask(1, from('203.0.113.1:5001')), [429])
    for (const text of ['x', 'y', 'z', '', '[::1', '1.2.3.4:5:6']) await api.ask(1, from(text))
    assert.deepEqual(await api.ask(1, from('anything')), [429])
    // The client's own header value comes before the one that the proxy appends.
    assert.deepEqual(await api.ask(1, from('203.0.113.99, 203.0.113.1')), [429])
  } finally {
    await api.close()
  }
})

test('the worker is exempt, scripts are not, and 0 disables a limit', async () => {
  const api = await limitedApp({ ...PRODUCTION, RATE_LIMIT_AI: '0' })
  try {
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const { sessions } = api.context
    const worker = bearer(await signWorkerToken(sessions, 60))
    assert.equal(count(await api.ask(20, worker), 200), 20)
    const script = bearer(await sessions.sign({ sub: 'x', email: 'script@example.com' }))
    assert.deepEqual(await api.ask(5, script), [200, 200, 200, 200, 429])
    assert.equal(count(await api.ask(20, script, '/api/of-class/ai'), 200), 20)
  } finally {
    await api.close()
  }
})

test('a caller is a user or a network address', () => {
  const user = { email: 'a@x.example', via: 'session', isWorker: false } as const
  assert.equal(callerOf(user, '192.0.2.1'), 'user:a@x.example')
  assert.equal(callerOf(null, '192.0.2.1'), 'address:192.0.2.1')
  assert.equal(callerOf(null, '2001:db8:1:2:3:4:5:6'), 'address:2001:db8:1:2::/64')
  assert.equal(callerOf(null, 'garbage'), 'address:unknown')
  assert.equal(callerOf(null, '[2001:db8:1:2::3]:443'), 'address:2001:db8:1:2::/64')
  assert.equal(callerOf(null, '192.0.2.1:443'), 'address:192.0.2.1')
})

/** Publishes the key of an access gateway, and signs its assertions. */
async function startGateway() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }]
  const server = createServer((_request, response) => response.end(JSON.stringify({ keys })))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = 'https://gateway.example.com'
  const audience = 'deals'
  return {
    settings: {
      GATEWAY_JWKS_URL: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`,
      GATEWAY_ISSUER: issuer,
      GATEWAY_AUDIENCE: audience,
    },
    sign: (email: string) =>
      new SignJWT({ email })
        .setProtectedHeader({ alg: 'RS256', kid: 'key' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function startRedis(port: number): Promise<ChildProcess> {
  const child = spawn(redisServer, [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ])
  children.push(child)
  await eventually(() => keysOf(port))
  return child
}

const withRedis = { skip: !existsSync(redisServer) && 'needs redis-server' }

test('processes share their limits through Redis', withRedis, async () => {
  const port = await freePort()
  await startRedis(port)
  const settings = { REDIS_URL: `redis://127.0.0.1:${port}` }
  const [one, two] = [await limitedApp(settings), await limitedApp(settings)]
  try {
    const statuses = await Promise.all([one, two, one, two].map((api) => api.ask(3, as('shared@x.example'))))
    assert.equal(count(statuses.flat(), 200), 4)
    assert.deepEqual([...one.log, ...two.log], [])
  } finally {
    await one.close()
    await two.close()
  }
})

test('when Redis fails, each process counts on its own, logs it once, and recovers', {
  skip: slow || withRedis.skip,
}, async () => {
  const port = await freePort()
  const redis = await startRedis(port)
  const settings = { REDIS_URL: `redis://127.0.0.1:${port}` }
  const api = await limitedApp(settings)
  try {
    assert.deepEqual(await api.ask(5, as('a@x.example')), [200, 200, 200, 200, 429])
    redis.kill('SIGKILL')
    await once(redis, 'exit')
    assert.deepEqual(await api.ask(6, as('b@x.example')), [200, 200, 200, 200, 429, 429])
    await sleep(2500)
    await api.ask(5, as('c@x.example'))
    assert.equal(api.log.filter((line) => /Redis is unavailable/.test(line)).length, 1, api.log.join(''))
    await startRedis(port)
    await eventually(async () => {
      await api.ask(1, as('d@x.example'))
      assert.ok((await keysOf(port)) > 0)
    })
  } finally {
    await api.close()
  }
})

test('a hanging Redis delays the first request only', { skip: slow || withRedis.skip }, async ({ mock }) => {
  const port = await freePort()
  const redis = await startRedis(port)
  const api = await limitedApp({ REDIS_URL: `redis://127.0.0.1:${port}` }, 5000)
  try {
    // Redis is tried again after five seconds.
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    await api.ask(1, as('a@x.example'))
    const { mock: commands } = mock.method(Redis.prototype, 'sendCommand')
    redis.kill('SIGSTOP')
    assert.deepEqual(await api.ask(6, as('b@x.example')), [200, 200, 200, 200, 429, 429])
    assert.equal(api.log.filter((line) => /Redis is unavailable/.test(line)).length, 1)
    assert.equal(commands.callCount(), 1)
  } finally {
    redis.kill('SIGCONT')
    await api.close()
  }
})

test('the service starts while Redis is down', async () => {
  const api = await limitedApp({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
  try {
    assert.deepEqual(await api.ask(5, as('a@x.example')), [200, 200, 200, 200, 429])
    assert.equal(api.log.filter((line) => /Redis is unavailable/.test(line)).length, 1)
  } finally {
    await api.close()
  }
})

/** The number of keys in Redis. */
async function keysOf(port: number): Promise<number> {
  const socket = net.connect(port, '127.0.0.1')
  socket.write('DBSIZE\r\n')
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return Number(String(answer).slice(1))
}
