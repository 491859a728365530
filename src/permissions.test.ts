import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import { hashKey, isKey, newKey } from '#src/platform/identity/api-key.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { bearer, userWithRole } from '#src/testing/credentials.ts'
import { isQuick } from '#src/testing/slow.ts'
import {
  type Credential,
  emailOf,
  expectedOutcome,
  type ProductionService,
  productionCredentials,
  productionService,
  type Route,
} from './permissions.fixture.ts'
import { PERMISSIONS, type Permission, ROLES } from './platform/http/security/permissions.ts'
import { rejectRoutesWithoutAction } from './platform/http/security/request-policy.ts'
import { type Reading, readings } from './readings.fixture.ts'

let production: ProductionService
let development: TestApp
before(async () => {
  production = await productionService()
  development = await testApp({ ENFORCE_ROLES: 'true' })
})
after(async () => {
  await production.close()
  await development.close()
})

async function checkAll({ app }: TestApp, credentials: Credential[]): Promise<number> {
  const wrong: string[] = []
  for (const route of production.routes)
    for (const credential of credentials) {
      // With a state, a sign-in is a callback that no browser has open, which the provider is not asked about.
      const url = `${route.url.replaceAll(/:\w+/g, 'x')}?unknown_parameter=1&state=x`
      const headers = { host: 'localhost', ...credential.headers }
      const { statusCode } = await app.inject({ method: route.method as 'GET', url, headers })
      const outcome = expectedOutcome(route, credential)
      // An allowed request is a 400, because of its unknown parameter.
      const expected = outcome === 'allowed' ? 400 : outcome
      const isAsExpected = expected === 'open' ? ![401, 403].includes(statusCode) : statusCode === expected
      if (!isAsExpected)
        wrong.push(`${route.method} ${route.url} with ${credential.name}: ${statusCode}, not ${expected}`)
    }
  assert.deepEqual(wrong, [])
  return production.routes.length * credentials.length
}

test('in production, every route refuses and accepts each credential, role and scope as the table says', async () => {
  assert.ok(production.routes.length > 50, `${production.routes.length} routes`)
  const checked = await checkAll(production, await productionCredentials(production))
  assert.ok(checked > 2000, `${checked} requests`)
})

test('what is read obeys the table too: with 200 and its content, or refused without it', async () => {
  const credentials = await productionCredentials(production)
  const admin = credentials.find(({ name }) => name === 'session of a admin') as Credential
  const all = await readings(production, admin.headers)
  // The test before this one has all of them refused or accepted.
  const isQuickReader = ({ role, scope = 'read' }: Credential) =>
    ['admin', 'viewer'].includes(role) && scope === 'read'
  const readers = isQuick ? credentials.filter(isQuickReader) : credentials
  const wrong: string[] = []
  const isReading = ({ method, url, isOpen }: Route) =>
    !isOpen && (method === 'GET' || url === '/api/companies/query')
  for (const route of production.routes.filter(isReading)) {
    const reading = all.get(route.url) ?? assert.fail(`readings.fixture.ts has no request for ${route.url}`)
    for (const credential of readers) {
      const { status, text } = await read(reading, credential)
      const outcome = expectedOutcome(route, credential)
      const isAsExpected =
        outcome === 'allowed'
          ? status === 200 && reading.shows.test(text)
          : status === outcome && !reading.shows.test(text)
      if (!isAsExpected)
        wrong.push(`${reading.url} with ${credential.name}: ${status} ${text.slice(0, 300)}, not ${outcome}`)
    }
  }
  assert.deepEqual(wrong, [])
})

/** Reads an answer, of an event stream its first event. */
async function read(
  { shows: _shows, ...request }: Reading,
  credential: Credential,
): Promise<{ status: number; text: string }> {
  const { app, context } = production
  const headers = { host: 'localhost', ...credential.headers }
  const answer = await app.inject({ ...request, headers, payloadAsStream: true })
  let text = ''
  for await (const chunk of answer.stream()) {
    text += chunk
    if (/^data: /m.test(text)) context.eventStreams.close()
  }
  return { status: answer.statusCode, text }
}

test('with ENFORCE_ROLES, roles count in development too, for users of the header X-User-Email', async () => {
  const credentials: Credential[] = [{ name: 'no credential', kind: 'none', role: 'viewer', headers: {} }]
  for (const role of ROLES) {
    const headers = { 'x-user-email': await userWithRole(development, emailOf(role), role) }
    credentials.push({ name: `header of a ${role}`, kind: 'user', role, headers })
  }
  await checkAll(development, credentials)
})

test('every route of the API names an action of the table or is open, and the open ones are these', () => {
  for (const { method, url, action, isOpen } of production.routes)
    assert.equal(isOpen || (action !== undefined && action in PERMISSIONS), true, `${method} ${url}`)
  const open = production.routes.filter(({ isOpen, method }) => isOpen && method !== 'HEAD')
  assert.deepEqual(open.map(({ method, url }) => `${method} ${url}`).sort(), [
    'GET /api/auth/idp',
    'GET /api/auth/status',
    'GET /api/calendar/:file',
    'GET /api/notifications/unsubscribe/:token',
    'POST /api/auth/logout',
    'POST /api/notifications/unsubscribe/:token',
  ])
})

test('a route that declares neither an action nor that it is open does not start', () => {
  const app = Fastify()
  rejectRoutesWithoutAction(app)
  assert.throws(() => app.get('/api/new', async () => 'x'), /GET \/api\/new must have x-action or x-open/)
  assert.doesNotThrow(() => app.get('/page', async () => 'x'))
})

test('the actions that the table refers to exist', () => {
  for (const { beyond, others } of Object.values(PERMISSIONS) as Permission[])
    for (const action of [beyond?.action, others]) assert.ok(!action || action in PERMISSIONS, action)
})

test('none of 10,000 random keys is accepted, whether or not their checksums are right', async () => {
  const { access } = production.context
  for (let n = 0; n < 10_000; n++) {
    const key = newKey()
    assert.equal(access.keyOf(hashKey(key)), undefined)
    const mistyped = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
    assert.equal(isKey(mistyped), false)
  }
  for (const text of [newKey(), `${newKey()}x`, 'dp_', `dp_${'0'.repeat(36)}`, newKey().toLowerCase()]) {
    const headers = { host: 'localhost', ...bearer(text) }
    assert.equal((await production.app.inject({ url: '/api/stats', headers })).statusCode, 401, text)
  }
})
