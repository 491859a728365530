import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { pino } from 'pino'
import { type Answer, Browser, HTML } from '#dev/browser.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type RunningProvider,
  startIdentityProvider,
} from '#dev/identity-provider.ts'
import { ACCOUNTS, type Account } from '#dev/users.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freePort } from '#src/testing/free-port.ts'
import { PRODUCTION } from '#src/testing/settings.ts'

const ODD_ADDRESSES = {
  spaces: ' ada@example.com ',
  inside: 'a da@example.com',
  homograph: 'ada@exаmple.com',
  kelvin: 'ada@\u212Ariminal.example',
  long: `${'x'.repeat(10_000)}@example.com`,
  list: 'ada@example.com,eve@evil.example',
  subdomain: 'ada@sub.example.com',
  suffix: 'ada@example.com.evil.org',
  none: '',
}
const accounts: Account[] = [
  ...ACCOUNTS,
  ...Object.entries(ODD_ADDRESSES).map(([sub, email]) => ({ sub, name: sub, email, email_verified: true })),
  { sub: 'unsaid', name: 'Uma Sayed', email: 'uma@example.com' },
  { sub: 'listed', name: `<b>\0 ${'N'.repeat(9000)}`, email: 'partner@Other.example', email_verified: true },
]

let provider: RunningProvider
let service: Service
before(async () => {
  provider = await startIdentityProvider({ accounts })
  service = await startService()
})
after(async () => {
  await service.api.close()
  await provider.close()
})

interface Service {
  url: string
  api: TestApp
  log: string[]
}

/** The service in production, at an address of its own, with the provider for sign-in. */
async function startService(settings: Record<string, string> = {}): Promise<Service> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const log: string[] = []
  const api = await testApp(
    {
      ...PRODUCTION,
      PUBLIC_URL: url,
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: CLIENT_ID,
      IDP_CLIENT_SECRET: CLIENT_SECRET,
      ALLOWED_DOMAIN: 'Example.com, kriminal.example',
      ALLOWED_EMAILS: 'partner@other.example',
      ...settings,
    },
    { log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }) },
  )
  await api.app.listen({ port, host: 'localhost' })
  return { url, api, log }
}

/** Clicks through the provider's pages as this account. */
async function signIn(
  browser: Browser,
  account: string,
  { url } = service,
  start = '/api/auth/idp',
  stopAt?: RegExp,
): Promise<Answer> {
  const page = await browser.visit(url + start, { headers: HTML })
  const chosen = page.body.includes('Who are you?') ? await browser.press(page, account) : page
  // A change of account ends the other one's session at the provider first, in browsers by a script.
  const next = chosen.body.includes('Continue</button>') ? await browser.press(chosen, 'Continue') : chosen
  return next.body.includes('Allow') ? browser.press(next, 'Allow', stopAt) : next
}

test('a sign-in ends at /home with a session cookie and a user record', async () => {
  const browser = new Browser()
  const before = Math.floor(Date.now() / 1000)
  let setCookie = ''
  const answer = await signIn(browser, 'ada', service, '/api/auth/idp', /\/home$/)
  setCookie = answer.headers.getSetCookie().find((line) => line.startsWith('service_session=')) ?? ''
  assert.equal(answer.status, 302)
  assert.equal(answer.address, `${service.url}/home`)
  assert.match(setCookie, /; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)

  const token = browser.cookie('service_session') as string
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', typ: 'JWT' })
  const { iat, exp, ...claims } = decodeJwt(token)
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

test('signing in again brings name and picture up to date, and leaves preferences', async () => {
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

test('an e-mail address in upper case is the same user', async () => {
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

test('a single allowed address signs in, with a name that fits into a cookie', async () => {
  const browser = new Browser()
  const page = await signIn(browser, 'listed')
  assert.equal(page.status, 200)
  assert.ok((browser.cookie('service_session') as string).length < 1000)
  const me = await browser.visit(`${service.url}/api/auth/me`)
  assert.match(JSON.parse(me.body).data.name, /^<b> {2}N+$/)
})

for (const [account, reason] of [
  ['una', /has not verified the email address una@example.com/],
  ['unsaid', /does not say whether the email address uma@example.com is verified/],
  ['eve', /eve@evil-example.com may not sign in/],
  ...Object.keys(ODD_ADDRESSES).map(
    (sub) => [sub, /may not sign in|no email address that can sign in/] as const,
  ),
] as const)
  test(`who may not sign in gets a 403 and no session: ${account}`, async () => {
    const browser = new Browser()
    const page = await signIn(browser, account)
    assert.equal(page.status, 403)
    assert.match(page.body, reason)
    assert.match(String(page.headers.get('content-type')), /^text\/html/)
    assert.equal(browser.cookie('service_session'), undefined)
    assert.equal((await browser.visit(`${service.url}/api/auth/me`)).status, 401)
  })

test('with IDP_ASSUME_VERIFIED an address that is not called verified may sign in, an unverified one never', async () => {
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

test('who refuses is told so, as a page or as JSON', async () => {
  const browser = new Browser()
  const login = await browser.visit(`${service.url}/api/auth/idp`, { headers: HTML })
  const refused = await browser.press(login, 'Cancel')
  assert.equal(refused.status, 401)
  assert.match(refused.body, /<h1>The sign-in did not work<\/h1>\s*<p>The sign-in was cancelled/)
  assert.match(refused.body, /href="\/api\/auth\/idp\?choose_account=true&amp;return_to=%2Fhome"/)

  const again = await browser.visit(`${service.url}/api/auth/idp`, { headers: HTML })
  const consent = await browser.press(again, 'ada')
  const { address } = await browser.press(consent, 'Deny', /\/api\/auth\/idp/)
  const json = await browser.visit(address)
  assert.equal(json.status, 401)
  assert.deepEqual(JSON.parse(json.body), {
    error: 'Unauthorized',
    details: 'The sign-in was cancelled, or the identity provider refused it.',
  })
  assert.equal(browser.cookie('service_session'), undefined)
})

/** The address that the provider sends the browser back to, before it goes there. */
async function callbackOf(browser: Browser, account = 'ada'): Promise<string> {
  return (await signIn(browser, account, service, '/api/auth/idp', /\/api\/auth\/idp\?/)).address
}

test('an answer of the provider is good in the browser that began the sign-in, once', async () => {
  const browser = new Browser()
  const callback = await callbackOf(browser)
  const elsewhere = await new Browser().visit(callback)
  assert.equal(elsewhere.status, 400)
  assert.match(JSON.parse(elsewhere.body).details, /not begun in this browser/)

  const other = new Browser()
  await other.visit(`${service.url}/api/auth/idp`)
  assert.equal((await other.visit(callback)).status, 400)
  assert.equal(other.cookie('service_session'), undefined)

  assert.equal((await browser.visit(callback)).status, 200)
  const replayed = await browser.visit(callback)
  assert.equal(replayed.status, 400)
  assert.match(JSON.parse(replayed.body).details, /already used/)
})

test('a code that was stolen with its cookie is good once', async () => {
  const browser = new Browser()
  const callback = await callbackOf(browser)
  const [name] =
    /service_sign_in_[\w-]+/.exec(
      `service_sign_in_${new URL(callback).searchParams.get('state')?.slice(0, 16)}`,
    ) ?? []
  const cookie = `${name}=${browser.cookie(name as string)}`
  await browser.visit(callback)
  const replayed = await fetch(callback, { headers: { cookie }, redirect: 'manual' })
  assert.equal(replayed.status, 401)
  assert.match(((await replayed.json()) as { details: string }).details, /already used/)
  assert.ok(!replayed.headers.getSetCookie().some((line) => line.startsWith('service_session=')))
})

test('what is changed in the answer of the provider is refused', async () => {
  for (const change of [
    (query: URLSearchParams) => query.set('state', 'x'.repeat(43)),
    (query: URLSearchParams) => query.delete('state'),
    (query: URLSearchParams) => query.set('code', 'forged'),
    (query: URLSearchParams) => query.set('iss', 'https://evil.example'),
    (query: URLSearchParams) => query.delete('code'),
    (query: URLSearchParams) => query.append('state', 'two'),
    (query: URLSearchParams) => query.append('code', 'two'),
  ]) {
    const browser = new Browser()
    const callback = new URL(await callbackOf(browser))
    change(callback.searchParams)
    const { status, body } = await browser.visit(callback.href)
    assert.ok(status === 400 || status === 401, `${callback.search} → ${status} ${body}`)
    assert.equal(browser.cookie('service_session'), undefined)
  }
})

test('several tabs sign in at the same time, each to its page', async () => {
  const browser = new Browser()
  const first = await signIn(
    browser,
    'ada',
    service,
    '/api/auth/idp?return_to=%2Fhome%3Fn%3D1',
    /\/api\/auth\/idp\?/,
  )
  await signIn(browser, 'ada', service, '/api/auth/idp?return_to=%2Fhome%3Fn%3D2')
  assert.match(browser.visited.at(-1) as string, /\/home\?n=2$/)
  await browser.visit(first.address)
  assert.match(browser.visited.at(-1) as string, /\/home\?n=1$/)
})

test('the way to the provider is bound to the browser by PKCE, state, nonce and a cookie of its own', async () => {
  const answer = await fetch(`${service.url}/api/auth/idp`, { redirect: 'manual' })
  const query = new URL(answer.headers.get('location') as string).searchParams
  assert.deepEqual(
    ['response_type', 'scope', 'code_challenge_method', 'redirect_uri', 'prompt'].map((name) =>
      query.get(name),
    ),
    ['code', 'openid email profile', 'S256', `${service.url}/api/auth/idp`, null],
  )
  for (const name of ['state', 'nonce', 'code_challenge']) assert.equal(query.get(name)?.length, 43, name)
  assert.match(
    answer.headers.getSetCookie()[0] as string,
    /^service_sign_in_[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/api\/auth\/idp; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.equal(answer.headers.get('cache-control'), 'no-store')
})

test('who wants another account is asked for it', async () => {
  const browser = new Browser()
  await signIn(browser, 'eve')
  const asked = await signIn(browser, 'ada', service, '/api/auth/idp?choose_account=true&return_to=%2F')
  assert.equal(asked.status, 200)
  assert.match((await browser.visit(`${service.url}/api/auth/me`)).body, /Ada Beck/)
  const failed = await signIn(
    browser,
    'eve',
    service,
    '/api/auth/idp?choose_account=true&return_to=%2Fx%3Fy%3D1',
  )
  assert.match(failed.body, /href="\/api\/auth\/idp\?return_to=%2Fx%3Fy%3D1"/)
  assert.match(failed.body, /<a href="\/home">Go on as ada@example.com/)
})

test('asking only for the head of an answer does not use it up', async () => {
  const browser = new Browser()
  const callback = await callbackOf(browser)
  const head = await browser.visit(callback, { method: 'HEAD' })
  assert.equal(head.status, 401)
  assert.equal((await browser.visit(callback)).status, 200)
})

test('sign-ins that are begun and never ended do not fill the cookie jar', async () => {
  const browser = new Browser()
  for (let times = 0; times < 40; times++)
    await browser.visit(`${service.url}/api/auth/idp`, {}, /interaction/)
  const names = browser.cookieNames().filter((name) => name.startsWith('service_sign_in_'))
  assert.ok(names.length <= 8, String(names.length))
  assert.equal((await signIn(browser, 'ada')).status, 200)
})

test('return_to leads to our own pages only', async () => {
  for (const path of ['/companies?status=active&x=%2F', '/home#top', '/', '/apiary']) {
    const start = `/api/auth/idp?return_to=${encodeURIComponent(path)}`
    const browser = new Browser()
    await signIn(browser, 'ada', service, start)
    assert.equal(browser.visited.at(-1), service.url + path)
  }
  for (const path of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/home\r\nSet-Cookie: service_session=x',
    '/home\nx',
    'javascript:alert(1)',
    'home',
    ' /home',
    '/api/auth/idp',
    '/API/auth/logout',
    '/./api/auth/idp',
    '/.//evil.example',
    `/${'x'.repeat(3000)}`,
    '/hömé',
  ]) {
    const { status, body, headers } = await new Browser().visit(
      `${service.url}/api/auth/idp?return_to=${encodeURIComponent(path)}`,
      {},
      /interaction/,
    )
    assert.equal(status, 400, path)
    assert.match(JSON.parse(body).details, /return_to/, path)
    assert.deepEqual(headers.getSetCookie(), [])
  }
})

test('signing out clears the cookie; a form is sent to the start page', async () => {
  const browser = new Browser()
  await signIn(browser, 'ada')
  const left = await browser.visit(`${service.url}/api/auth/logout`, {
    method: 'POST',
    headers: { accept: 'text/html' },
  })
  assert.equal(new URL(left.address).pathname, '/')
  assert.equal(browser.cookie('service_session'), undefined)
  assert.equal((await browser.visit(`${service.url}/api/stats`)).status, 401)
  assert.equal((await browser.visit(`${service.url}/api/auth/me`)).status, 401)

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

test('signing out needs no body, and takes any', async () => {
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x/y']) {
    const answer = await fetch(`${service.url}/api/auth/logout`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: type === 'x/y' ? '{' : '',
    })
    assert.equal(answer.status, 200, type)
  }
})

test('a cookie that is not valid is answered with 401 once, and removed', async () => {
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

test('the database going down in the middle of a sign-in is a 503, and no session', async () => {
  const broken = await startService()
  try {
    const browser = new Browser()
    const { address } = await signIn(browser, 'ada', broken, '/api/auth/idp', /\/api\/auth\/idp\?/)
    broken.api.context.db.insertInto = () => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' })
    }
    const answer = await browser.visit(address)
    assert.equal(answer.status, 503)
    assert.match(answer.body, /database cannot be reached/)
    assert.equal(browser.cookie('service_session'), undefined)
  } finally {
    await broken.api.close()
  }
})

test('the status tells of the provider and of no secret', async () => {
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

test('with the provider down the service starts, says so, and signs in when it is back', async () => {
  const port = await freePort()
  const late = await startService({ IDP_ISSUER: `http://localhost:${port}` })
  try {
    const down = await new Browser().visit(`${late.url}/api/auth/idp`)
    assert.equal(down.status, 503)
    assert.match(JSON.parse(down.body).details, /identity provider does not answer/)
    const page = await new Browser().visit(`${late.url}/api/auth/idp`, { headers: HTML })
    assert.match(page.body, /identity provider does not answer/)
    const status = await (await fetch(`${late.url}/api/auth/status`)).json()
    assert.deepEqual((status as { data: object }).data, {
      status: 'degraded',
      mode: 'production',
      identity_provider: 'unreachable',
      access_gateway: 'not_configured',
    })
    assert.equal((await fetch(`${late.url}/readyz`)).status, 200)

    const back = await startIdentityProvider({ port, accounts })
    try {
      await new Promise((resolve) => setTimeout(resolve, 2100))
      assert.equal((await signIn(new Browser(), 'ada', late)).status, 200)
    } finally {
      await back.close()
    }
  } finally {
    await late.api.close()
  }
})

test('a provider that goes down in the middle of a sign-in is a 503, and no session', async () => {
  const port = await freePort()
  const fragile = await startIdentityProvider({ port, accounts })
  const own = await startService({ IDP_ISSUER: fragile.issuer })
  try {
    const browser = new Browser()
    const { address } = await signIn(browser, 'ada', own, '/api/auth/idp', /\/api\/auth\/idp\?/)
    await fragile.close()
    const answer = await browser.visit(address)
    assert.equal(answer.status, 503, answer.body)
    assert.equal(browser.cookie('service_session'), undefined)
  } finally {
    await own.api.close()
  }
})

test('a provider that does not know us is a fault of the set-up, and told as such', async () => {
  const own = await startService({ IDP_CLIENT_SECRET: 'wrong' })
  try {
    const answer = await signIn(new Browser(), 'ada', own)
    assert.equal(answer.status, 503)
    assert.match(answer.body, /does not accept this service as its client/)
  } finally {
    await own.api.close()
  }
})

test('without a provider, in development, sign-in says what to set', async () => {
  const development = await testApp()
  try {
    const { status, body } = await development.call('GET', '/api/auth/idp')
    assert.equal(status, 503)
    assert.match(body.details, /IDP_ISSUER/)
    const state = await development.call('GET', '/api/auth/status')
    assert.equal(state.body.data.identity_provider, 'not_configured')
    assert.equal(state.body.data.mode, 'development')
  } finally {
    await development.close()
  }
})

test('in development the sign-in goes by the host of PUBLIC_URL, where the provider leads back to', async () => {
  const own = await startService({ NODE_ENV: 'development', SESSION_SECRET: '' })
  try {
    const browser = new Browser()
    const page = await signIn(browser, 'ada', { ...own, url: own.url.replace('localhost', '127.0.0.1') })
    assert.equal(page.status, 200)
    assert.equal(page.address, `${own.url}/home`)
    assert.match((await browser.visit(`${own.url}/api/auth/me`)).body, /ada@example.com/)
    const { headers } = await signIn(browser, 'ada', own, '/api/auth/idp', /\/home$/)
    assert.doesNotMatch(headers.getSetCookie().join(), /Secure/)
  } finally {
    await own.api.close()
  }
})
