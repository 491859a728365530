import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { hashKey, isKey, newKey, shownPrefix } from '#src/platform/identity/api-key.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { bearer, type Headers, sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { insertKey } from './features/keys/store.ts'
import { rejectRoutesWithoutAction } from './platform/http/route-permissions.ts'
import { signWorkerToken } from './platform/identity/worker-token.ts'
import { newId } from './platform/ids.ts'
import {
  type Action,
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from './platform/schema/permissions.ts'

interface Route {
  method: string
  url: string
  action: Action | undefined
  isOpen: boolean
}

/** A way to call the API, and what the table of permissions is asked about it. */
interface Credential {
  name: string
  headers: Headers
  kind: 'none' | 'user' | 'key' | 'worker'
  role: Role
  scope?: Scope
}

/** Any status except 401 and 403. */
const OPEN = 0

const GATEWAY = { issuer: 'https://gateway.example', audience: 'deals', header: 'x-gateway' }
const routes: Route[] = []
let keyServer: Server
let production: TestApp
let development: TestApp
let gatewayToken: (email: string) => Promise<string>

function watch(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url, schema }) => {
    if (!/^\/(?:api|assets)\//.test(url)) return
    const { 'x-action': action, 'x-open': isOpen = false } = schema as {
      'x-action'?: Action
      'x-open'?: boolean
    }
    for (const one of [method].flat()) routes.push({ method: one, url, action, isOpen })
  })
}

before(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }
  keyServer = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await once(keyServer.listen(0, '127.0.0.1'), 'listening')
  gatewayToken = (email) =>
    new SignJWT({ email })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(GATEWAY.issuer)
      .setAudience(GATEWAY.audience)
      .setExpirationTime('1h')
      .sign(privateKey)
  subscribe('fastify.initialization', watch)
  production = await testApp({
    ...PRODUCTION,
    GATEWAY_JWKS_URL: `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/`,
    GATEWAY_ISSUER: GATEWAY.issuer,
    GATEWAY_AUDIENCE: GATEWAY.audience,
    GATEWAY_HEADER: GATEWAY.header,
  })
  unsubscribe('fastify.initialization', watch)
  development = await testApp({ ENFORCE_ROLES: 'true' })
  await production.app.ready()
})
after(async () => {
  await production.close()
  await development.close()
  keyServer.close()
})

const emailOf = (role: Role) => `${role}@example.com`

async function productionCredentials(): Promise<Credential[]> {
  const { db, access, sessions } = production.context
  const worker = bearer(await signWorkerToken(sessions, 600))
  const credentials: Credential[] = [
    { name: 'no credential', kind: 'none', role: 'viewer', headers: {} },
    {
      name: 'development header',
      kind: 'none',
      role: 'admin',
      headers: { 'x-user-email': emailOf('admin') },
    },
    { name: 'worker token', kind: 'worker', role: 'member', headers: worker },
  ]
  for (const role of ROLES) {
    const email = await userWithRole(production, emailOf(role), role)
    const session = await sessionCookieOf(production, email)
    const gateway = { [GATEWAY.header]: await gatewayToken(email) }
    credentials.push({ name: `session of a ${role}`, kind: 'user', role, headers: session })
    credentials.push({ name: `gateway token of a ${role}`, kind: 'user', role, headers: gateway })
    for (const scope of SCOPES) {
      const key = newKey()
      const stored = {
        hash: hashKey(key),
        prefix: shownPrefix(key),
        created_at: new Date(),
        expires_at: null,
      }
      // The key's own role is admin: that of its owner is what limits it.
      await insertKey(db, {
        ...stored,
        id: newId('key'),
        name: scope,
        user_email: email,
        scopes: [scope],
        role: 'admin',
      })
      credentials.push({ name: `${scope} key of a ${role}`, kind: 'key', role, scope, headers: bearer(key) })
    }
  }
  await access.refresh()
  return credentials
}

/** What the table says: 400 is an allowed request, because each one has an unknown parameter. */
function expectedStatus({ action, isOpen }: Route, { kind, role, scope }: Credential): number {
  if (isOpen) return OPEN
  if (kind === 'none') return 401
  const permission: Permission = PERMISSIONS[action as Action]
  const hasRole = permission.role !== null && ROLES.indexOf(role) >= ROLES.indexOf(permission.role)
  if (kind === 'user') return hasRole ? 400 : 403
  const forWorker = permission.scopes.includes('worker')
  if (kind === 'worker') return hasRole || forWorker ? 400 : 403
  if (!permission.scopes.includes(scope as Scope)) return 403
  return hasRole || (scope === 'worker' && role === 'admin') ? 400 : 403
}

async function checkAll({ app }: TestApp, credentials: Credential[]): Promise<number> {
  const wrong: string[] = []
  for (const route of routes)
    for (const credential of credentials) {
      // With a state, a sign-in is a callback that no browser has open, which the provider is not asked about.
      const url = `${route.url.replaceAll(/:\w+/g, 'x')}?unknown_parameter=1&state=x`
      const headers = { host: 'localhost', ...credential.headers }
      const { statusCode } = await app.inject({ method: route.method as 'GET', url, headers })
      const expected = expectedStatus(route, credential)
      const isAsExpected = expected === OPEN ? ![401, 403].includes(statusCode) : statusCode === expected
      if (!isAsExpected)
        wrong.push(`${route.method} ${route.url} with ${credential.name}: ${statusCode}, not ${expected}`)
    }
  assert.deepEqual(wrong, [])
  return routes.length * credentials.length
}

test('in production, every route refuses and accepts each credential, role and scope as the table says', async () => {
  assert.ok(routes.length > 50, `${routes.length} routes`)
  const checked = await checkAll(production, await productionCredentials())
  assert.ok(checked > 2000, `${checked} requests`)
})

test('with ENFORCE_ROLES, roles count in development too, for users of the header X-User-Email', async () => {
  const credentials: Credential[] = [{ name: 'no credential', kind: 'none', role: 'viewer', headers: {} }]
  for (const role of ROLES) {
    const headers = { 'x-user-email': await userWithRole(development, emailOf(role), role) }
    credentials.push({ name: `header of a ${role}`, kind: 'user', role, headers })
  }
  await checkAll(development, credentials)
})

test('every route of the API names an action of the table or is open, and the open ones are these', () => {
  for (const { method, url, action, isOpen } of routes)
    assert.equal(isOpen || (action !== undefined && action in PERMISSIONS), true, `${method} ${url}`)
  const open = routes.filter(({ isOpen, method }) => isOpen && method !== 'HEAD')
  assert.deepEqual(open.map(({ method, url }) => `${method} ${url}`).sort(), [
    'GET /api/auth/idp',
    'GET /api/auth/status',
    'POST /api/auth/logout',
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
