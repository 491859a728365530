import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, hkdfSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { loadConfig } from '#src/platform/config/config.ts'
import { Unauthenticated } from '#src/platform/errors.ts'
import { AccessState } from './access-state.ts'
import { isAllowed } from './allowlist.ts'
import { createIdentify } from './identity.ts'
import { createSessions, InvalidToken } from './session.ts'
import { sessionSecrets } from './session-secret.ts'
import { signWorkerToken, WORKER_EMAIL } from './worker-token.ts'

const SECRET = 'the-first-secret-0123456789-abcdefgh'
const OLD_SECRET = 'the-old-secret-9876543210-hgfedcbazyx'
const ada = { sub: 'ada', email: 'ada@example.com', name: 'Ada' }
const now = () => Math.floor(Date.now() / 1000)
const key = new TextEncoder().encode(SECRET)
const sessions = createSessions([SECRET])
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token with any header and claims, correctly signed with HMAC-SHA-256. */
function handmade(header: object, claims: object, secret = SECRET): string {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

test('a session has the signed claims', async () => {
  const session = await sessions.verify(await sessions.sign({ ...ada, picture: 'https://p.example/a.jpg' }))
  const { iat, exp, ...claims } = session
  assert.deepEqual(claims, { ...ada, picture: 'https://p.example/a.jpg' })
  assert.equal(exp - iat, 604_800)
})

test('an invalid name or picture is cleaned up or removed', async () => {
  const claims = { ...ada, iat: now(), exp: now() + 60 }
  const read = async (more: object) => {
    const { name, picture } = await sessions.verify(
      handmade({ alg: 'HS256', typ: 'JWT' }, { ...claims, ...more }),
    )
    return [name, picture]
  }
  assert.deepEqual(await read({ name: 'Ada\0 \ud800 ', picture: ' ' }), ['Ada  \ufffd', undefined])
  assert.deepEqual(await read({ name: '', picture: 5 }), [undefined, undefined])
})

test('any secret verifies, and the first one signs', async () => {
  const old = await createSessions([OLD_SECRET]).sign(ada)
  const rotated = createSessions([SECRET, OLD_SECRET])
  assert.equal((await rotated.verify(old)).email, ada.email)
  assert.equal((await sessions.verify(await rotated.sign(ada))).email, ada.email)
  await assert.rejects(async () => sessions.verify(old), /signature/)
})

test('a modified or foreign token is rejected', async () => {
  const good = await sessions.sign(ada)
  const [head, body, signature] = good.split('.') as [string, string, string]
  const claims = { ...ada, iat: now(), exp: now() + 1000 }
  const hs256 = { alg: 'HS256', typ: 'JWT' }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const refused: Record<string, string> = {
    empty: '',
    rubbish: 'rubbish',
    dots: '..',
    truncated: good.slice(0, -1),
    'without signature': `${head}.${body}.`,
    'two parts': `${head}.${body}`,
    'another body': `${head}.${part({ ...claims, email: 'eve@example.com' })}.${signature}`,
    'alg none': `${part({ alg: 'none' })}.${part(claims)}.`,
    'alg none, signed': handmade({ alg: 'none' }, claims),
    'alg NONE': `${part({ alg: 'NONE' })}.${part(claims)}.${signature}`,
    HS512: await new SignJWT(claims).setProtectedHeader({ alg: 'HS512' }).sign(Buffer.concat([key, key])),
    RS256: await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
    'another secret': handmade(hs256, claims, OLD_SECRET),
    expired: handmade(hs256, { ...claims, exp: now() - 60 }),
    'not yet valid': handmade(hs256, { ...claims, nbf: now() + 100 }),
    'issued in the future': handmade(hs256, { ...claims, iat: now() + 100 }),
    'without email': handmade(hs256, { ...claims, email: undefined }),
    'empty email': handmade(hs256, { ...claims, email: '' }),
    'email that is not a string': handmade(hs256, { ...claims, email: ['ada@example.com'] }),
    'without subject': handmade(hs256, { ...claims, sub: undefined }),
    'without expiry': handmade(hs256, { ...claims, exp: undefined }),
    'expiry that is not a number': handmade(hs256, { ...claims, exp: '9999999999' }),
    'without issue time': handmade(hs256, { ...claims, iat: undefined }),
    'unknown critical header': handmade({ ...hs256, crit: ['x'], x: 1 }, claims),
    'too long': handmade(hs256, { ...claims, name: 'x'.repeat(5000) }),
    sealed: await sessions.seal('session', claims, 1000),
    'signed for another purpose': handmade(
      hs256,
      claims,
      Buffer.from(hkdfSync('sha256', SECRET, '', 'deal-pipeline session', 32)).toString('latin1'),
    ),
  }
  assert.equal((await sessions.verify(handmade(hs256, claims))).email, ada.email)
  for (const [name, token] of Object.entries(refused))
    await assert.rejects(
      async () => sessions.verify(token),
      (error) => error instanceof InvalidToken,
      name,
    )
})

test('clocks of processes may differ by a minute', async (context) => {
  const time = now()
  context.mock.timers.enable({ apis: ['Date'], now: time * 1000 })
  const claims = { ...ada, iat: time, exp: time + 1000 }
  const verify = async (change: object) =>
    sessions.verify(handmade({ alg: 'HS256' }, { ...claims, ...change }))
  for (const change of [{ exp: time - 59 }, { nbf: time + 60 }, { iat: time + 60 }])
    assert.equal((await verify(change)).email, ada.email, JSON.stringify(change))
  await assert.rejects(verify({ exp: time - 60 }), /expired/)
  for (const change of [{ nbf: time + 61 }, { iat: time + 61 }])
    await assert.rejects(verify(change), InvalidToken, JSON.stringify(change))
})

test('a cached session still expires', async (context) => {
  const time = now() * 1000
  context.mock.timers.enable({ apis: ['Date'], now: time })
  const token = await sessions.sign(ada, 60)
  await sessions.verify(token)
  context.mock.timers.setTime(time + 119_000)
  assert.equal((await sessions.verify(token)).email, ada.email)
  context.mock.timers.setTime(time + 121_000)
  await assert.rejects(async () => sessions.verify(token), /expired/)
})

test('a sealed token opens for its purpose, until it expires, with any secret', async (context) => {
  const sealed = await createSessions([OLD_SECRET]).seal('a', { state: 's' }, 60)
  const rotated = createSessions([SECRET, OLD_SECRET])
  assert.equal((await rotated.open('a', sealed))?.state, 's')
  assert.equal(await rotated.open('b', sealed), undefined)
  assert.equal(await sessions.open('a', sealed), undefined)
  assert.equal(await rotated.open('a', `${sealed.slice(0, -2)}xx`), undefined)
  assert.equal(await rotated.open('a', await rotated.sign(ada)), undefined)
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
  assert.equal(await rotated.open('a', sealed), undefined)
})

test('in development, one secret is generated, readable only by its owner', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-secret-'))
  try {
    const config = loadConfig({ DATA_DIR: path.join(folder, 'data') })
    const made = await Promise.all(Array.from({ length: 20 }, () => sessionSecrets(config)))
    assert.equal(new Set(made.flat()).size, 1)
    const [[secret]] = made as [[string]]
    assert.equal(Buffer.from(secret, 'base64url').length, 32)
    const file = path.join(folder, 'data', 'session-secret')
    assert.equal(await readFile(file, 'utf8'), secret)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.deepEqual(await sessionSecrets(loadConfig({ SESSION_SECRET: SECRET, DATA_DIR: folder })), [SECRET])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a truncated secret is replaced', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-secret-'))
  try {
    const config = loadConfig({ DATA_DIR: folder })
    const file = path.join(folder, 'session-secret')
    await writeFile(file, '')
    const [secret] = await sessionSecrets(config)
    assert.equal(secret?.length, 43)
    assert.equal(await readFile(file, 'utf8'), secret)
    assert.deepEqual(await readdir(folder), ['session-secret'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the allowlist matches whole domains, ignoring case', () => {
  const list = { allowedDomains: ['example.com', 'kit.example'], allowedEmails: ['guest@other.example'] }
  for (const email of ['ada@example.com', 'ADA@EXAMPLE.COM', 'x+y@Kit.example', 'Guest@Other.example'])
    assert.ok(isAllowed(email, list), email)
  for (const email of [
    'ada@evil-example.com',
    'ada@example.com.evil.org',
    'ada@sub.example.com',
    'ada@evil.org@example.com',
    'example.com',
    '@example.com',
    'ada@',
    'ada@example.com ',
    ' ada@example.com',
    'ada@example.com\n',
    'ada@example.com\0',
    '"ada@evil.org"@example.com',
    'host@other.example',
    'ada@exаmple.com',
    'ada@\u212Ait.example',
    'ada@ｅxample.com',
    `${'x'.repeat(10_000)}@example.com`,
    '',
  ])
    assert.equal(isAllowed(email, list), false, JSON.stringify(email.slice(0, 60)))
})

const authentication = {
  NODE_ENV: 'production',
  SESSION_SECRET: SECRET,
  IDP_ISSUER: 'https://id.example.com',
  IDP_CLIENT_ID: 'x',
  IDP_CLIENT_SECRET: 'x',
  ALLOWED_DOMAIN: 'example.com',
}
/** Accepts any token as an email address. */
const gateway = {
  header: 'x-gateway',
  verify: async (email: string) => ({ email, exp: now() + 60 }),
}
const identifyWith = (settings: Record<string, string>) => {
  const identify = createIdentify({
    config: loadConfig({ ...authentication, ...settings }),
    sessions,
    gateway,
    access: new AccessState(async () => ({
      read_at: 'now',
      users: [],
      keys: [],
      ended_sessions: [],
      erased: [],
    })),
    requireRecentUse: () => {},
  })
  return async (headers: IncomingHttpHeaders) => identify(headers, false)
}

test('the cookie takes precedence over the token, the gateway and the development header', async () => {
  const identify = identifyWith({ NODE_ENV: 'development' })
  const of = async (email: string) => sessions.sign({ sub: email, email })
  const cookie = `a=b; service_session=${await of('cookie@example.com')}; c=d`
  const authorization = `bearer ${await of('token@example.com')}`
  const headers = {
    'x-user-email': 'Header@Example.com',
    'x-gateway': 'Gateway@Example.com',
    authorization,
    cookie,
  }
  assert.equal((await identify(headers))?.email, 'cookie@example.com')
  assert.equal((await identify({ ...headers, cookie: 'a=b' }))?.email, 'token@example.com')
  const { cookie: _cookie, authorization: _authorization, ...others } = headers
  assert.equal((await identify(others))?.email, 'gateway@example.com')
  await assert.rejects(identify({ 'x-gateway': 'eve@evil.example' }), /may not sign in here/)
  assert.equal((await identify({ 'x-user-email': ' Header@Example.com' }))?.email, 'header@example.com')
  assert.equal(await identify({}), null)
  assert.equal(await identifyWith({})({ 'x-user-email': 'header@example.com' }), null)
})

test('an invalid credential is never ignored', async () => {
  const identify = identifyWith({ NODE_ENV: 'development' })
  const good = await sessions.sign(ada)
  const header = { 'x-user-email': 'ada@example.com' }
  const other = await sessions.sign({ sub: 'ben', email: 'ben@example.com' })
  const refused: [IncomingHttpHeaders, RegExp][] = [
    [
      { cookie: 'service_session=x', authorization: `Bearer ${good}`, ...header },
      /The cookie service_session is not valid/,
    ],
    [
      { cookie: `service_session=${good}; service_session=${other}` },
      /two different service_session cookies/,
    ],
    [{ cookie: `service_session=x;service_session=${good}` }, /two different service_session cookies/],
    [{ cookie: `service_session=${'x'.repeat(60_000)}` }, /too long/],
    [{ authorization: 'Bearer x', ...header }, /The bearer token is not valid/],
    [{ authorization: 'Bearer', ...header }, /must be "Bearer"/],
    [{ authorization: `Basic ${Buffer.from('ada:x').toString('base64')}`, ...header }, /must be "Bearer"/],
    [{ authorization: good, ...header }, /must be "Bearer"/],
    [{ authorization: `Bearer ${good} ${good}` }, /must be "Bearer"/],
    [
      { authorization: `Bearer ${await sessions.sign({ sub: 'eve', email: 'eve@evil.example' })}` },
      /may not sign in/,
    ],
  ]
  for (const [headers, message] of refused)
    await assert.rejects(
      identify(headers),
      (error: Error) => error instanceof Unauthenticated && message.test(error.message),
      JSON.stringify(headers).slice(0, 80),
    )
  assert.equal(
    (await identify({ cookie: `service_session=${good}; service_session=${good}` }))?.email,
    ada.email,
  )
  assert.equal(await identify({ cookie: `xservice_session=${good}; service_session_x=1` }), null)
})

test('removing a domain from the allowlist takes effect on the next request', async () => {
  const headers = { cookie: `service_session=${await sessions.sign(ada)}` }
  assert.equal((await identifyWith({})(headers))?.email, ada.email)
  await assert.rejects(
    identifyWith({ ALLOWED_DOMAIN: 'example.org' })(headers),
    /The cookie service_session is not valid. Its email address may not sign in/,
  )
  assert.equal(
    (await identifyWith({ ALLOWED_DOMAIN: 'example.org', ALLOWED_EMAILS: 'ADA@example.com' })(headers))
      ?.email,
    ada.email,
  )
})

test('the worker is identified only by its own token', async () => {
  const identify = identifyWith({})
  const worker = await identify({ authorization: `Bearer ${await signWorkerToken(sessions, 60)}` })
  assert.deepEqual([worker?.email, worker?.isWorker], [WORKER_EMAIL, true])
  const forged = await createSessions([OLD_SECRET]).sign({ sub: WORKER_EMAIL, email: WORKER_EMAIL })
  await assert.rejects(identify({ authorization: `Bearer ${forged}` }))
  const inDevelopment = await identifyWith({ NODE_ENV: 'development' })({ 'x-user-email': WORKER_EMAIL })
  assert.equal(inDevelopment?.isWorker, false)
})
