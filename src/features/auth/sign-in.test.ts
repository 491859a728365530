import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { type Answer, Browser } from '#dev/browser.ts'
import type { Account } from '#dev/users.ts'
import {
  accounts,
  ODD_ADDRESSES,
  service,
  signIn,
  startBeforeTests,
  startService,
} from './sign-in.fixture.ts'

startBeforeTests()

const limitOf = ({ headers }: Answer) => [headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]

test('a sign-in ends at /home with a session cookie and a user record', async () => {
  const browser = new Browser()
  const before = Math.floor(Date.now() / 1000)
  let setCookie = ''
  const answer = await signIn(browser, 'ada', service, '/api/auth/idp', /\/home$/)
  setCookie = answer.headers.getSetCookie().find((line) => line.startsWith('service_session=')) ?? ''
  assert.equal(answer.status, 302)
  assert.equal(answer.address, `${service.url}/home`)
  // No Domain: the cookie belongs to this host alone.
  assert.match(setCookie, /^service_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)

  const token = browser.cookie('service_session') as string
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', typ: 'JWT' })
  const { iat, exp, jti, ...claims } = decodeJwt(token)
  assert.match(String(jti), /^ses_/)
  assert.deepEqual(claims, {
    sub: 'ada',
    email: 'ada@example.com',
    name: 'Ada Beck',
    picture: 'https://people.example.com/ada.jpg',
  })
  assert.ok(iat && iat >= before && iat <= Date.now() / 1000)
  assert.equal((exp ?? 0) - iat, 7 * 24 * 60 * 60)

  const me = await browser.visit(`${service.url}/api/auth/me`)
  const { email, name, picture, role, preferences, signed_in_by, session_expires_at } = JSON.parse(
    me.body,
  ).data
  assert.deepEqual(
    { email, name, picture, role, signed_in_by, session_expires_at },
    {
      email: 'ada@example.com',
      name: 'Ada Beck',
      picture: 'https://people.example.com/ada.jpg',
      role: 'member',
      signed_in_by: 'session',
      session_expires_at: new Date((exp ?? 0) * 1000).toISOString(),
    },
  )
  assert.equal(preferences.view_mode, 'comfortable')
  assert.equal((await browser.visit(`${service.url}/api/stats`)).status, 200)
  assert.ok(service.log.some((line) => line.includes('"signed in"') && line.includes('ada@example.com')))
  assert.ok(!service.log.some((line) => /[?&](?:code|state)=/.test(line)))
})

test('signing in again updates name and picture but not preferences', async () => {
  await signIn(new Browser(), 'chiara')
  const browser = new Browser()
  const account = accounts.find(({ sub }) => sub === 'chiara') as Account
  const renamed = { ...account, name: 'Chiara Riva-Beck', picture: 'https://people.example.com/c.jpg' }
  await signIn(browser, 'chiara')
  const preferences = { method: 'PATCH', headers: { 'content-type': 'application/json' } }
  const changed = await browser.visit(`${service.url}/api/users/chiara@example.com`, {
    ...preferences,
    body: JSON.stringify({ preferences: { view_mode: 'compact' } }),
  })
  assert.equal(changed.status, 200, changed.body)
  Object.assign(account, renamed)
  await signIn(new Browser(), 'chiara')
  const { data } = JSON.parse((await browser.visit(`${service.url}/api/auth/me`)).body)
  assert.equal(data.name, 'Chiara Riva-Beck')
  assert.equal(data.picture, 'https://people.example.com/c.jpg')
  assert.equal(data.preferences.view_mode, 'compact')
})

test('an email address in upper case is the same user', async () => {
  const browser = new Browser()
  await signIn(browser, 'ben')
  const { data } = JSON.parse((await browser.visit(`${service.url}/api/auth/me`)).body)
  assert.equal(data.email, 'ben.okafor@example.com')
  const own = await browser.visit(`${service.url}/api/users/BEN.okafor@example.com`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"preferences":{"view_mode":"compact"}}',
  })
  assert.equal(own.status, 200)
  const others = await browser.visit(`${service.url}/api/users/ada@example.com`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"preferences":{"view_mode":"compact"}}',
  })
  assert.equal(others.status, 403)
})

test('an address in ALLOWED_EMAILS signs in, and a long name is shortened to fit into a cookie', async () => {
  const browser = new Browser()
  const page = await signIn(browser, 'listed')
  assert.equal(page.status, 200)
  assert.ok((browser.cookie('service_session') as string).length < 1000)
  const me = await browser.visit(`${service.url}/api/auth/me`)
  assert.match(JSON.parse(me.body).data.name, /^<b> {2}N+$/)
})

for (const [account, reason] of [
  ['una', /has not verified the email address una@example.com/],
  ['unsaid', /does not state whether the email address uma@example.com is verified/],
  ['eve', /eve@evil-example.com may not sign in/],
  ...Object.keys(ODD_ADDRESSES).map(
    (sub) => [sub, /may not sign in|no email address that can sign in/] as const,
  ),
] as const)
  test(`an account that may not sign in gets a 403 and no session: ${account}`, async () => {
    const browser = new Browser()
    const page = await signIn(browser, account)
    assert.equal(page.status, 403)
    assert.match(page.body, reason)
    assert.match(String(page.headers.get('content-type')), /^text\/html/)
    assert.equal(browser.cookie('service_session'), undefined)
    assert.equal((await browser.visit(`${service.url}/api/auth/me`)).status, 401)
  })

test('with IDP_ASSUME_VERIFIED an address without email_verified may sign in, but not an unverified one', async () => {
  const trusting = await startService({ IDP_ASSUME_VERIFIED: 'true' })
  try {
    const browser = new Browser()
    assert.equal((await signIn(browser, 'unsaid', trusting)).status, 200)
    const { data } = JSON.parse((await browser.visit(`${trusting.url}/api/auth/me`)).body)
    assert.deepEqual([data.email, data.name], ['uma@example.com', 'Uma Sayed'])
    for (const [account, reason] of [
      ['una', /has not verified the email address una@example.com/],
      ['eve', /eve@evil-example.com may not sign in/],
    ] as const) {
      const refused = new Browser()
      const page = await signIn(refused, account, trusting)
      assert.equal(page.status, 403)
      assert.match(page.body, reason)
      assert.equal(refused.cookie('service_session'), undefined)
    }
  } finally {
    await trusting.api.close()
  }
})

test('each sign-in starts a new session, and ends the one that this browser had', async () => {
  const browser = new Browser()
  const signedIn = async () => {
    await signIn(browser, 'ada')
    return browser.cookie('service_session') as string
  }
  const [first, second] = [await signedIn(), await signedIn()]
  assert.notEqual(decodeJwt(first).jti, decodeJwt(second).jti)
  const statusWith = async (session: string) =>
    (await fetch(`${service.url}/api/stats`, { headers: { cookie: `service_session=${session}` } })).status
  assert.deepEqual([await statusWith(first), await statusWith(second)], [401, 200])
  const { data } = JSON.parse((await browser.visit(`${service.url}/api/sessions`)).body)
  const current = data.find((session: { current: boolean }) => session.current)
  assert.equal(current.id, decodeJwt(second).jti)
  assert.ok(current.address)
})

test('attempts to sign in are limited per address and per account', async () => {
  const limited = await startService({ RATE_LIMIT_SIGN_IN: '2', RATE_LIMIT_STANDARD: '100' })
  try {
    for (const remaining of ['1', '0']) {
      const page = await signIn(new Browser(), 'ada', limited, '/api/auth/idp', /\/home$/)
      assert.deepEqual([page.status, ...limitOf(page)], [302, '2', remaining])
    }
    const refused = await signIn(new Browser(), 'ben', limited)
    assert.deepEqual([refused.status, ...limitOf(refused)], [429, '2', '0'])
    assert.equal(refused.headers.get('ratelimit-reset'), refused.headers.get('retry-after'))
    assert.match(refused.body, /The limit is 2 sign-ins per minute/)
    const counted = await limited.api.context.limits.take('sign_in', 'account:ada@example.com')
    assert.equal(counted?.isExceeded, true)
  } finally {
    await limited.api.close()
  }
})

test('a disabled user cannot sign in', async () => {
  const { access, db } = service.api.context
  await signIn(new Browser(), 'chiara')
  const [email] = accounts
    .filter(({ sub }) => sub === 'chiara')
    .map((account) => String(account.email).toLowerCase())
  const setDisabled = (isDisabled: boolean) =>
    db
      .updateTable('users')
      .set({ disabled_at: isDisabled ? new Date() : null, access_changed_at: new Date() })
      .where('email', '=', String(email))
      .execute()
  await setDisabled(true)
  const browser = new Browser()
  const page = await signIn(browser, 'chiara')
  assert.equal(page.status, 403)
  assert.match(page.body, /is disabled/)
  assert.equal(browser.cookie('service_session'), undefined)
  await setDisabled(false)
  await access.refresh()
})

test('signing out clears the cookie and redirects forms to the start page', async () => {
  const browser = new Browser()
  await signIn(browser, 'ada')
  const session = browser.cookie('service_session')
  const left = await browser.visit(`${service.url}/api/auth/logout`, {
    method: 'POST',
    headers: { accept: 'text/html' },
  })
  assert.equal(new URL(left.address).pathname, '/')
  assert.equal(browser.cookie('service_session'), undefined)
  assert.equal((await browser.visit(`${service.url}/api/stats`)).status, 401)
  assert.equal((await browser.visit(`${service.url}/api/auth/me`)).status, 401)
  const copied = await fetch(`${service.url}/api/stats`, {
    headers: { cookie: `service_session=${session}` },
  })
  assert.equal(copied.status, 401)

  const answer = await fetch(`${service.url}/api/auth/logout`, {
    method: 'POST',
    headers: { cookie: 'service_session=rubbish' },
  })
  assert.deepEqual(await answer.json(), { data: { signed_out: true } })
  assert.match(
    answer.headers.getSetCookie()[0] as string,
    /^service_session=; .*Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax$/,
  )
  const foreign = await fetch(`${service.url}/api/auth/logout`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  })
  assert.equal(foreign.status, 403)
})

test('signing out needs no body and accepts any', async () => {
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x/y']) {
    const answer = await fetch(`${service.url}/api/auth/logout`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: type === 'x/y' ? '{' : '',
    })
    assert.equal(answer.status, 200, type)
  }
})

test('an invalid cookie gives one 401 and is removed', async () => {
  const browser = new Browser()
  browser.setCookie(new URL(service.url).hostname, 'service_session', 'old')
  const first = await browser.visit(`${service.url}/api/stats`)
  assert.equal(first.status, 401)
  assert.match(JSON.parse(first.body).details, /Sign in again/)
  assert.equal(first.headers.get('www-authenticate'), 'Bearer')
  assert.equal(browser.cookie('service_session'), undefined)
  browser.setCookie(new URL(service.url).hostname, 'service_session', 'old')
  await browser.visit(`${service.url}/home`)
  assert.equal(browser.cookie('service_session'), undefined)
  browser.setCookie(new URL(service.url).hostname, 'service_session', 'old')
  assert.equal((await signIn(browser, 'ada')).status, 200)
  assert.ok(browser.cookie('service_session'))
})

test('the status shows the provider but no secrets', async () => {
  const answer = await fetch(`${service.url}/api/auth/status`)
  const text = await answer.text()
  assert.deepEqual(JSON.parse(text).data, {
    status: 'ok',
    mode: 'production',
    identity_provider: 'reachable',
    access_gateway: 'not_configured',
  })
  assert.doesNotMatch(text, /only-for-development|secret/)
})
