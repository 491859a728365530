import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { createGateway, type Gateway } from './gateway.ts'

interface Keys {
  kid: string
  alg: string
  privateKey: CryptoKey
  jwk: JWK
}

async function newKeys(alg: string, kid: string): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** The keys that the gateway publishes; `broken` makes it fail. */
let published: Keys[] = []
let broken = false
let fetches = 0
let server: Server
let jwksUrl: string
before(async () => {
  server = createServer((_request, response) => {
    fetches += 1
    if (broken) response.writeHead(500).end('no')
    else response.end(JSON.stringify({ keys: published.map(({ jwk }) => jwk) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/certs`
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const ISSUER = 'https://team.cloudflareaccess.com'
const AUDIENCE = '32eafc7626e737b5ea0f1a5c5c2b2b0e'

const settings = () => ({ jwksUrl, issuer: ISSUER, audience: AUDIENCE, header: 'x' })

const newGateway = (keysTtlMs = 600_000): Gateway => createGateway(settings(), { keysTtlMs, cooldownMs: 0 })

interface Changes {
  claims?: object
  issuer?: string
  audience?: string | string[]
  expires?: string
}

const assertion = (
  keys: Keys,
  {
    claims = { email: 'ada@example.com' },
    issuer = ISSUER,
    audience = AUDIENCE,
    expires = '5m',
  }: Changes = {},
) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: keys.alg, kid: keys.kid })
    .setSubject('7335d417-61da-459d-899c-0a01c76a2f94')
    .setIssuedAt()
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(keys.privateKey)

test('a gateway token identifies its user, and keys are fetched once', async () => {
  published = [await newKeys('RS256', 'a'), await newKeys('ES256', 'b')]
  const gateway = newGateway()
  fetches = 0
  for (const keys of published)
    for (const audience of [AUDIENCE, ['other', AUDIENCE]])
      assert.equal((await gateway.verify(await assertion(keys, { audience }))).email, 'ada@example.com')
  assert.equal(fetches, 1)
})

test('accepts rotated keys', async () => {
  const [first, second] = [await newKeys('RS256', 'first'), await newKeys('RS256', 'second')]
  published = [first]
  const gateway = newGateway()
  await gateway.verify(await assertion(first))
  published = [second]
  assert.equal((await gateway.verify(await assertion(second))).email, 'ada@example.com')
  const later = await assertion(first, { claims: { email: 'ben@example.com' } })
  await assert.rejects(gateway.verify(later), /not signed with one of/)
})

test('tokens that the gateway did not sign for us are rejected', async () => {
  const [keys, stranger] = [await newKeys('RS256', 'k'), await newKeys('RS256', 'k')]
  published = [keys]
  const gateway = newGateway()
  const refused: [string, string, RegExp][] = [
    ['another audience', await assertion(keys, { audience: 'other' }), /claim aud/],
    ['another issuer', await assertion(keys, { issuer: 'https://evil.example' }), /claim iss/],
    ['expired', await assertion(keys, { expires: '-31s' }), /expired/],
    [
      'not verified',
      await assertion(keys, { claims: { email: 'a@example.com', email_verified: false } }),
      /not verified/,
    ],
    [
      'not verified, as text',
      await assertion(keys, { claims: { email: 'a@example.com', email_verified: 'false' } }),
      /not verified/,
    ],
    ['no email', await assertion(keys, { claims: {} }), /no email/],
    ['email of another type', await assertion(keys, { claims: { email: { a: 1 } } }), /no email/],
    ['another key of the same name', await assertion(stranger), /not a valid gateway token/],
    ['rubbish', 'rubbish', /not a valid gateway token/],
    ['huge', 'x'.repeat(20_000), /too long/],
  ]
  for (const [name, token, message] of refused) await assert.rejects(gateway.verify(token), message, name)
})

test('made-up key ids do not each cause a fetch', async () => {
  const keys = await newKeys('RS256', 'usual')
  published = [keys]
  const gateway = createGateway(settings())
  fetches = 0
  for (const kid of ['a', 'b', 'c', 'd', 'e'])
    await assert.rejects(gateway.verify(await assertion({ ...keys, kid })), /not signed with one of/)
  assert.equal(fetches, 1)
})

test('tolerates a clock skew of some seconds', async () => {
  const keys = await newKeys('RS256', 'clock')
  published = [keys]
  const nbf = Math.floor(Date.now() / 1000) + 20
  const ahead = await assertion(keys, { claims: { email: 'ada@example.com', nbf } })
  assert.equal((await newGateway().verify(ahead)).email, 'ada@example.com')
})

test('cached keys remain valid while fetching fails, without delays', async (context) => {
  const keys = await newKeys('RS256', 'held')
  published = [keys]
  const gateway = newGateway(0)
  await gateway.verify(await assertion(keys))
  // Another attempt would follow after two seconds.
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  broken = true
  fetches = 0
  try {
    for (const name of ['ben', 'chiara', 'dora']) {
      const email = `${name}@example.com`
      assert.equal((await gateway.verify(await assertion(keys, { claims: { email } }))).email, email)
    }
    assert.equal(fetches, 1)
  } finally {
    broken = false
  }
})

test('a cached token still expires', async (context) => {
  const keys = await newKeys('ES256', 'e')
  published = [keys]
  const gateway = newGateway()
  const token = await assertion(keys, { expires: '10s' })
  await gateway.verify(token)
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 45_000 })
  await assert.rejects(gateway.verify(token), /expired/)
})

for (const [name, header, alg, issuer] of [
  ['Cloudflare Access', 'Cf-Access-Jwt-Assertion', 'RS256', ISSUER],
  ['Google IAP', 'X-Goog-IAP-JWT-Assertion', 'ES256', 'https://cloud.google.com/iap'],
] as const)
  test(`production behind ${name} only needs settings`, async () => {
    const keys = await newKeys(alg, 'live')
    published = [keys]
    const { IDP_ISSUER, IDP_CLIENT_ID, IDP_CLIENT_SECRET, ...others } = PRODUCTION
    const api: TestApp = await testApp({
      ...others,
      GATEWAY_JWKS_URL: jwksUrl,
      GATEWAY_ISSUER: issuer,
      GATEWAY_AUDIENCE: AUDIENCE,
      ...(name === 'Google IAP' ? { GATEWAY_HEADER: header } : {}),
    })
    try {
      const ask = (token: string, url = '/api/auth/me') =>
        api.call('GET', url, undefined, { headers: { [header]: token } })
      const { status, body } = await ask(
        await assertion(keys, { issuer, claims: { email: 'Ada@Example.com' } }),
      )
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([body.data.email, body.data.signed_in_by], ['ada@example.com', 'gateway'])
      assert.equal((await api.call('GET', '/api/stats')).status, 401)
      const foreign = await assertion(keys, { issuer, claims: { email: 'eve@evil-example.com' } })
      assert.equal((await ask(foreign)).status, 403)
      const wrong = await ask('rubbish')
      assert.equal(wrong.status, 401)
      assert.match(wrong.body.details, /The header (cf-access|x-goog-iap)-jwt-assertion is not valid/)
      const state = await api.call('GET', '/api/auth/status')
      assert.equal(state.body.data.access_gateway, 'configured')
      assert.equal((await ask('rubbish', '/')).status, 200)
    } finally {
      await api.close()
    }
  })

test('answers 503 while the keys cannot be fetched, and recovers', async (context) => {
  const keys = await newKeys('RS256', 'late')
  published = [keys]
  broken = true
  const api = await testApp({
    ...PRODUCTION,
    GATEWAY_JWKS_URL: jwksUrl,
    GATEWAY_ISSUER: ISSUER,
    GATEWAY_AUDIENCE: AUDIENCE,
  })
  try {
    const headers = { 'cf-access-jwt-assertion': await assertion(keys) }
    const down = await api.call('GET', '/api/stats', undefined, { headers })
    assert.equal(down.status, 503)
    assert.match(down.body.details, /GATEWAY_JWKS_URL/)
    broken = false
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2100 })
    assert.equal((await api.call('GET', '/api/stats', undefined, { headers })).status, 200)
  } finally {
    broken = false
    await api.close()
  }
})
