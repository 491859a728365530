import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Forbidden, Unauthenticated, Unavailable } from '#src/platform/errors.ts'
import { slow } from '#src/testing/slow.ts'
import { createIdentityProvider, type IdentityProvider } from './identity-provider.ts'

/** How the mock provider misbehaves. */
interface Misbehavior {
  metadata?: object
  /** Overrides claims of the ID token. */
  claims?: object
  signedBy?: CryptoKey
  expires?: string
  userInfo?: object
  /** Never answers at these paths. */
  silentAt?: RegExp
  status?: number
  /** Answers at these paths instead. */
  answers?: Record<string, (request: { authorization?: string | undefined }) => [number, object] | undefined>
  /** The algorithm and key that sign ID tokens. */
  signs?: { alg: string; key: CryptoKey | Uint8Array }
  /** The userinfo endpoint answers with a JWT. */
  signsUserInfo?: boolean
}

let server: Server | undefined
const stop = () => {
  server?.closeAllConnections()
  server?.close()
}
afterEach(stop)

interface Stub {
  issuer: string
  provider: IdentityProvider
  requests: { path: string; authorization: string | undefined; body: string }[]
  behave: Misbehavior
}

const REDIRECT = 'https://deals.example.com/api/auth/idp'
const keys = await generateKeyPair('RS256')

async function startStub(behave: Misbehavior = {}, assumeVerified = false): Promise<Stub> {
  const requests: Stub['requests'] = []
  let nonce = ''
  const stub = { behave, requests } as Stub
  server = createServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', stub.issuer)
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ path, authorization: request.headers.authorization, body })
    const { metadata, claims, signedBy, expires, userInfo, silentAt, status } = stub.behave
    const { answers, signs, signsUserInfo } = stub.behave
    if (silentAt?.test(path)) return
    const [code, answer] = answers?.[path]?.(request.headers) ?? []
    if (code !== undefined)
      return void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    const send = (value: object) =>
      response.writeHead(status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (path === '/nonce') {
      nonce = searchParams.get('is') ?? ''
      return void send({})
    }
    if (path === '/keys')
      return void send({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256' }] })
    if (path === '/userinfo' && signsUserInfo) {
      const token = new SignJWT({ sub: 'ada', ...userInfo, iss: stub.issuer, aud: 'client' })
      const jwt = await token.setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(signedBy ?? keys.privateKey)
      return void response.writeHead(200, { 'content-type': 'application/jwt' }).end(jwt)
    }
    if (path === '/userinfo') return void send({ sub: 'ada', ...userInfo })
    if (path === '/token') {
      const token = new SignJWT({
        nonce,
        sub: 'ada',
        email: 'ada@example.com',
        email_verified: true,
        name: 'Ada',
        iss: stub.issuer,
        aud: 'client',
        ...claims,
      })
      const idToken = await token
        .setProtectedHeader({ alg: signs?.alg ?? 'RS256', kid: 'k' })
        .setIssuedAt()
        .setExpirationTime(expires ?? '5m')
        .sign(signs?.key ?? signedBy ?? keys.privateKey)
      return void send({ access_token: 'x', token_type: 'Bearer', id_token: idToken })
    }
    send({
      issuer: stub.issuer,
      authorization_endpoint: `${stub.issuer}/authorize`,
      token_endpoint: `${stub.issuer}/token`,
      jwks_uri: `${stub.issuer}/keys`,
      userinfo_endpoint: `${stub.issuer}/userinfo`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...metadata,
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stub.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stub.provider = createIdentityProvider({
    issuer: stub.issuer,
    clientId: 'client',
    clientSecret: 'secret',
    assumeVerified,
  })
  return stub
}

/** Runs a whole sign-in. The mock provider learns the nonce from the URL, as a real one would. */
async function signIn({ provider, issuer }: Stub) {
  const { address, attempt } = await provider.begin(REDIRECT, false)
  await fetch(`${issuer}/nonce?is=${address.searchParams.get('nonce')}`)
  return provider.finish(new URL(`${REDIRECT}?code=c&state=${attempt.state}`), attempt)
}

const refusedWith = (kind: new () => Error, details: RegExp) => (error: Error) =>
  error instanceof kind && details.test(error.message)

test('the client secret is sent with a supported method, by default HTTP Basic', async () => {
  for (const [methods, isBasic] of [
    [['client_secret_basic'], true],
    [['client_secret_post'], false],
    [['client_secret_post', 'client_secret_basic'], true],
    [undefined, true],
  ] as const) {
    const stub = await startStub({ metadata: { token_endpoint_auth_methods_supported: methods } })
    assert.equal((await signIn(stub)).email, 'ada@example.com')
    const token = stub.requests.find(({ path }) => path === '/token')
    assert.equal(token?.authorization?.startsWith('Basic '), isBasic ? true : undefined, String(methods))
    assert.equal(token?.body.includes('client_secret=secret'), !isBasic)
    stop()
  }
})

test('an ID token for another sign-in is rejected', async () => {
  const stranger = await generateKeyPair('RS256')
  for (const [name, behave] of Object.entries({
    'another key': { signedBy: stranger.privateKey },
    'another nonce': { claims: { nonce: 'other' } },
    'no nonce': { claims: { nonce: undefined } },
    'another audience': { claims: { aud: 'other' } },
    'another issuer': { claims: { iss: 'https://evil.example' } },
    expired: { expires: '-1m' },
  })) {
    const stub = await startStub(behave)
    await assert.rejects(signIn(stub), refusedWith(Unauthenticated, /cannot be trusted/), name)
    stop()
  }
})

test('missing claims come from the userinfo endpoint', async () => {
  const stub = await startStub({
    claims: { email_verified: undefined, name: undefined },
    userInfo: { email_verified: true, name: 'Ada Beck', picture: 'https://p.example/ada.jpg' },
  })
  const { name, picture } = await signIn(stub)
  assert.deepEqual([name, picture], ['Ada Beck', 'https://p.example/ada.jpg'])
})

const withoutName = { name: undefined }
const withoutVerified = { email_verified: undefined }
const refusesUserInfo = { '/userinfo': () => [403, { error: 'forbidden' }] as [number, object] }

test('a userinfo endpoint that fails does not matter if the email address is verified', {
  skip: slow,
}, async () => {
  const failures: Misbehavior[] = [
    { answers: refusesUserInfo },
    { answers: { '/userinfo': () => [500, {}] } },
    { answers: { '/userinfo': () => [200, { sub: 'other' }] } },
    { silentAt: /userinfo/ },
    { signsUserInfo: true, userInfo: { sub: 'other' } },
  ]
  for (const failure of failures)
    for (const assumeVerified of [false, true]) {
      const claims = assumeVerified ? withoutVerified : withoutName
      const stub = await startStub({ ...failure, claims }, assumeVerified)
      assert.equal((await signIn(stub)).email, 'ada@example.com', JSON.stringify(failure))
      stop()
    }
})

test('a userinfo endpoint that fails to complete an ID token is named with its answer', {
  skip: slow,
}, async () => {
  const cases: [Misbehavior, new () => Error, RegExp][] = [
    [
      { claims: withoutVerified, answers: refusesUserInfo },
      Forbidden,
      /no claim email_verified, and its userinfo endpoint answers 403\. .*IDP_ASSUME_VERIFIED=true/,
    ],
    [{ claims: { email: undefined }, answers: refusesUserInfo }, Forbidden, /no claim email, .* answers 403/],
    [{ claims: withoutVerified, silentAt: /userinfo/ }, Unavailable, /userinfo endpoint does not answer/],
    [
      { claims: { email: undefined } },
      Forbidden,
      /the claim email is missing .* scopes openid email profile/,
    ],
  ]
  for (const [behave, kind, details] of cases) {
    await assert.rejects(signIn(await startStub(behave)), refusedWith(kind, details), String(details))
    stop()
  }
})

test('userinfo may be signed, with a key of the provider alone', async () => {
  const userInfo = { email_verified: true, name: 'Ada Beck' }
  const stub = await startStub({ claims: withoutVerified, signsUserInfo: true, userInfo })
  assert.equal((await signIn(stub)).name, 'Ada Beck')
  stop()
  const { privateKey: signedBy } = await generateKeyPair('RS256')
  const forged = await startStub({ claims: withoutVerified, signsUserInfo: true, userInfo })
  forged.behave = { ...forged.behave, signs: { alg: 'RS256', key: keys.privateKey }, signedBy }
  await assert.rejects(
    signIn(forged),
    refusedWith(Forbidden, /userinfo endpoint gave an answer that cannot be trusted/),
  )
})

test('a client that takes its secret in the body alone signs in, and the method is remembered', async () => {
  const metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] }
  const refuseBasic = ({ authorization }: { authorization?: string | undefined }) =>
    authorization ? ([401, { error: 'invalid_client' }] as [number, object]) : undefined
  const stub = await startStub({ metadata, answers: { '/token': refuseBasic } })
  await signIn(stub)
  await signIn(stub)
  const sent = stub.requests.filter(({ path }) => path === '/token')
  assert.deepEqual(
    sent.map(({ authorization }) => authorization !== undefined),
    [true, false, false],
  )
})

test('errors name both sides: the issuer, the algorithm, and why the client is rejected', async () => {
  const es384 = await generateKeyPair('ES384')
  const cases: [Misbehavior, new () => Error, RegExp][] = [
    [
      { metadata: { issuer: 'http://127.0.0.1/deals/' } },
      Unavailable,
      /its value is "http:\/\/127.0.0.1:\d+", but the provider states "http:\/\/127.0.0.1\/deals\/"/,
    ],
    [
      { metadata: { issuer: 'http://127.0.0.1/{tenantid}/v2.0' } },
      Unavailable,
      /template. Set IDP_ISSUER to the issuer of your own tenant/,
    ],
    [{ status: 404 }, Unavailable, /openid-configuration answers with the status 404/],
    [
      { signs: { alg: 'ES384', key: es384.privateKey } },
      Unauthenticated,
      /signed with "ES384", but "RS256" is expected/,
    ],
    [
      { signs: { alg: 'HS256', key: new TextEncoder().encode('secret-secret-secret-secret-secret') } },
      Unauthenticated,
      /signed with "HS256", but "RS256" is expected/,
    ],
    [
      { answers: { '/token': () => [401, { error: 'invalid_client', error_description: 'wrong secret' }] } },
      Unavailable,
      /invalid_client: wrong secret \(sent with client_secret_basic\)\. Check IDP_CLIENT_ID and IDP_CLIENT_SECRET/,
    ],
  ]
  for (const [behave, kind, details] of cases) {
    const stub = await startStub(behave)
    await assert.rejects(signIn(stub), refusedWith(kind, details), String(details))
    stop()
  }
})

test('an email address is verified by its claim, or by the setting if the claim is missing', async () => {
  const cases: [claim: unknown, assumeVerified: boolean, refusal: RegExp | undefined][] = [
    [true, false, undefined],
    ['true', false, undefined],
    [undefined, false, /does not state whether .*ada@example.com is verified.* IDP_ASSUME_VERIFIED=true/],
    [undefined, true, undefined],
  ]
  for (const claim of [false, 'false', null, 0, 1, '', 'yes', {}])
    for (const assumeVerified of [false, true])
      cases.push([claim, assumeVerified, /has not verified the email address ada@example.com/])
  for (const [email_verified, assumeVerified, refusal] of cases) {
    const stub = await startStub({ claims: { email_verified } }, assumeVerified)
    if (refusal)
      await assert.rejects(
        signIn(stub),
        refusedWith(Forbidden, refusal),
        `${JSON.stringify(email_verified)}, ${assumeVerified}`,
      )
    else assert.equal((await signIn(stub)).email, 'ada@example.com')
    stop()
  }
})

test('a picture without https and a name of control characters are ignored', async () => {
  for (const picture of [
    'http://p.example/a.jpg',
    'javascript:alert(1)',
    `https://p.example/${'x'.repeat(2000)}`,
    5,
  ]) {
    const stub = await startStub({ claims: { picture, name: '\0\u0007' } })
    const profile = await signIn(stub)
    assert.deepEqual([profile.picture, profile.name], [undefined, undefined], String(picture))
    stop()
  }
})

test('discovery is cached and shared by concurrent sign-ins', async (context) => {
  const stub = await startStub()
  const requested = () => stub.requests.filter(({ path }) => path.startsWith('/.well-known')).length
  await Promise.all([1, 2, 3].map(() => stub.provider.begin(REDIRECT, false)))
  await stub.provider.begin(REDIRECT, true)
  assert.equal(requested(), 1)
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31_000 })
  await stub.provider.begin(REDIRECT, false)
  assert.equal(requested(), 2)
})

test('a provider that never answers times out', { skip: slow }, async (context) => {
  const stub = await startStub({ silentAt: /well-known/ })
  await assert.rejects(
    stub.provider.begin(REDIRECT, false),
    refusedWith(Unavailable, /does not answer \(IDP_ISSUER\)/),
  )
  assert.equal(await stub.provider.isReachable(), false)
  stub.behave = { silentAt: /token/ }
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2100 })
  await assert.rejects(signIn(stub), refusedWith(Unavailable, /does not answer/))
})

test('a server that is not the provider is reported', async () => {
  for (const behave of [
    { metadata: { issuer: 'https://other.example' } },
    { status: 500 },
    { status: 404 },
  ]) {
    const stub = await startStub(behave)
    await assert.rejects(
      stub.provider.begin(REDIRECT, false),
      refusedWith(Unavailable, /IDP_ISSUER is not a working OpenID Connect provider/),
    )
    stop()
  }
})

test('the account prompt uses a value that the provider supports', async () => {
  for (const [known, prompt] of [
    [undefined, 'select_account'],
    [['none', 'login', 'select_account'], 'select_account'],
    [['none', 'login', 'consent'], 'login'],
  ] as const) {
    const stub = await startStub({ metadata: { prompt_values_supported: known } })
    const { address } = await stub.provider.begin(REDIRECT, true)
    assert.equal(address.searchParams.get('prompt'), prompt)
    stop()
  }
})
