import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anonymous, assertError, bodyOf, type Client, newUser, send, signedIn } from './client.ts'
import { developmentService, LISTED_ORIGIN, productionService } from './services.ts'

const FOREIGN_ORIGIN = 'https://evil.example'
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '1; mode=block',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

const preflight = (url: string, origin: string) =>
  send(`${url}/api/companies`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-user-email',
    },
  })

describe('5. Authentication: Security properties', () => {
  test('CORS is restricted to a whitelist of origins', async () => {
    const client = await signedIn()
    const listed = await client.get('/api/companies', { origin: LISTED_ORIGIN })
    assert.equal(listed.headers.get('access-control-allow-origin'), LISTED_ORIGIN)
    const foreign = await client.get('/api/companies', { origin: FOREIGN_ORIGIN })
    assert.equal(foreign.headers.get('access-control-allow-origin'), null)

    const allowed = await preflight(productionService().url, LISTED_ORIGIN)
    assert.equal(allowed.headers.get('access-control-allow-origin'), LISTED_ORIGIN)
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /content-type/i)
    for (const { url } of [productionService(), developmentService()]) {
      const refused = await preflight(url, FOREIGN_ORIGIN)
      assert.equal(refused.headers.get('access-control-allow-origin'), null)
    }
  })

  test('HTTPS is enforced in production', async () => {
    const client = await signedIn()
    const plain = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.7' }
    await assertError(client.get('/api/companies', plain), 403, /https/)
    await assertError(client.post('/api/companies', { name: 'Nordlys' }, plain), 403, /https/)
    await bodyOf(client.get('/api/companies', { ...plain, 'x-forwarded-proto': 'https' }))
  })

  const paths = [
    '/',
    '/home',
    '/api/companies',
    '/api/companies?limit=x',
    '/api/companies/cmp_none',
    '/nowhere',
  ]
  for (const [name, value] of Object.entries(HEADERS))
    test(`responses carry: ${name}: ${value}`, async () => {
      for (const client of [newUser(), await signedIn()])
        for (const path of [...paths, '/assets/companies/cmp_none/profile.json'])
          assert.equal((await client.get(path)).headers.get(name), value, path)
    })

  test('responses carry: Strict-Transport-Security: max-age=31536000 (production only)', async () => {
    const headerOf = async (client: Client, path: string) =>
      (await client.get(path)).headers.get('strict-transport-security')
    for (const path of paths) {
      assert.equal(await headerOf(await signedIn(), path), 'max-age=31536000', path)
      assert.equal(await headerOf(newUser(), path), null, path)
    }
  })
})

describe('5. Authentication: Security properties, what the contract leaves open', () => {
  test("a page on a foreign origin cannot write with its visitor's session", async () => {
    const client = await signedIn()
    const write = (origin: string) => client.post('/api/companies', { name: 'Nordlys' }, { origin })
    await assertError(write(FOREIGN_ORIGIN), 403, /origin/)
    await assertError(write('null'), 403, /origin/)
    await bodyOf(write(LISTED_ORIGIN), 201)
    await bodyOf(write(productionService().url), 201)
  })

  test('in development a page on a foreign origin cannot write either', async () => {
    const write = (origin: string) => anonymous().post('/api/companies', { name: 'Nordlys' }, { origin })
    await assertError(write(FOREIGN_ORIGIN), 403, /origin/)
    await bodyOf(write(developmentService().url), 201)
  })
})
