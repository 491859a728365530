import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  anonymous,
  assertError,
  bodyOf,
  dataOf,
  developmentToken,
  newUser,
  signedIn,
  unique,
} from './client.ts'
import { newCompany } from './fixtures.ts'
import { productionService } from './services.ts'

const session = async (email = `session.${unique()}@example.com`) => ({
  email,
  cookie: `service_session=${await developmentToken({ sub: email, email })}`,
})

describe('5. Authentication: Other auth endpoints', () => {
  test('POST /api/auth/logout clears the session cookie', async () => {
    const { status, headers } = await (await signedIn()).post('/api/auth/logout')
    assert.ok(status < 400)
    const [cookie = ''] = headers.getSetCookie()
    assert.match(cookie, /^service_session=;/)
    const [, expires = ''] = /Expires=([^;]+)/.exec(cookie) ?? []
    assert.ok(/Max-Age=0/.test(cookie) || Date.parse(expires) < Date.now(), cookie)
  })

  test("GET /api/auth/me returns the authenticated user's info", async () => {
    const client = await signedIn()
    assert.equal((await dataOf(client.get('/api/auth/me'))).email, client.email)
  })

  test('GET /api/auth/status: health check of the auth system', async () => {
    assert.equal((await dataOf(anonymous(productionService()).get('/api/auth/status'))).status, 'ok')
    assert.equal((await dataOf(anonymous().get('/api/auth/status'))).status, 'ok')
  })
})

describe('5. Authentication: Per-request identification', () => {
  test('1. the JWT of the cookie service_session gives the user', async () => {
    const { email, cookie } = await session()
    const client = anonymous()
    assert.equal((await dataOf(client.get('/api/auth/me', { cookie }))).email, email)
    const { id } = await dataOf(client.post('/api/companies', { name: 'Nordlys' }, { cookie }), 201)
    const [record] = await dataOf(client.get(`/api/activity?entity_id=${id}`))
    assert.equal(record.user_email, email)
  })

  test('1. the cookie comes before the header X-User-Email', async () => {
    const { email, cookie } = await session()
    assert.equal((await dataOf(newUser().get('/api/auth/me', { cookie }))).email, email)
  })

  test("1. the JWT is verified with the service's signing secret", async () => {
    const other = await signedIn()
    const forged = (await session()).cookie.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    await assertError(newUser().get('/api/auth/me', { cookie: forged }), 401)
    assert.equal((await other.get('/api/auth/me')).status, 200)
  })

  test('2. otherwise the value of the header X-User-Email is the user email (development mode)', async () => {
    const client = newUser()
    assert.equal((await dataOf(client.get('/api/auth/me'))).email, client.email)
  })

  test('2. the header X-User-Email works in development mode only', async () => {
    await assertError(
      anonymous(productionService()).get('/api/stats', { 'x-user-email': 'ada@example.com' }),
      401,
    )
  })

  test('3. otherwise no user is set', async () => {
    const { id } = await newCompany(anonymous())
    const [record] = await dataOf(newUser().get(`/api/activity?entity_id=${id}`))
    assert.equal(record.user_email, null)
    await assertError(anonymous().get('/api/auth/me'), 401)
  })
})

describe('5. Authentication: Per-request identification, what the contract leaves open', () => {
  const PUBLIC = ['/api/auth/status', '/']
  const PROTECTED = [
    '/api/companies',
    '/api/theses',
    '/api/stats',
    '/api/users/ada@example.com',
    '/api/auth/me',
  ]

  test('in production every route needs a user, except sign-in, sign-out and status', async () => {
    const client = anonymous(productionService())
    for (const path of PUBLIC) await bodyOf(client.get(path))
    assert.equal((await client.get('/api/auth/idp')).status, 302)
    await bodyOf(client.post('/api/auth/logout'))
    for (const path of PROTECTED) await assertError(client.get(path), 401)
    await assertError(client.post('/api/companies', { name: 'Nordlys' }), 401)
  })

  test('in development no route needs a user, except those about the current user', async () => {
    const client = anonymous()
    for (const path of ['/api/companies', '/api/theses', '/api/stats', '/api/users/ada@example.com'])
      await bodyOf(client.get(path))
    for (const path of ['/api/auth/me', '/api/bulk-actions']) await assertError(client.get(path), 401)
  })

  test('an invalid credential is a 401, never ignored', async () => {
    const client = newUser()
    for (const credential of [
      { cookie: 'service_session=rubbish' },
      { authorization: 'Bearer rubbish' },
      { authorization: 'Basic YTpi' },
      { 'x-user-email': 'rubbish' },
    ] as Record<string, string>[])
      await assertError(client.get('/api/companies', credential), 401)
  })

  test('in production the session of an address that may no longer sign in is a 401', async () => {
    await assertError((await signedIn('eve@evil-example.com')).get('/api/companies'), 401)
  })

  test('Authorization: Bearer with a session token is a credential too', async () => {
    const { email, cookie } = await session()
    const authorization = cookie.replace('service_session=', 'Bearer ')
    assert.equal((await dataOf(anonymous().get('/api/auth/me', { authorization }))).email, email)
  })
})
