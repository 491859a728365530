import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, HTML } from '#dev/browser.ts'
import { service, signIn, startBeforeTests } from './sign-in.fixture.ts'

startBeforeTests()

/** The callback URL that the provider redirects to, not yet visited. */
async function callbackOf(browser: Browser, account = 'ada'): Promise<string> {
  return (await signIn(browser, account, service, '/api/auth/idp', /\/api\/auth\/idp\?/)).address
}

test('canceling a sign-in gives an error, as a page or as JSON', async () => {
  const browser = new Browser()
  const login = await browser.visit(`${service.url}/api/auth/idp`, { headers: HTML })
  const refused = await browser.press(login, 'Cancel')
  assert.equal(refused.status, 401)
  assert.match(refused.body, /<h1>Sign-in failed<\/h1>\s*<p>The sign-in was canceled/)
  assert.match(refused.body, /href="\/api\/auth\/idp\?choose_account=true&amp;return_to=%2Fhome"/)

  const again = await browser.visit(`${service.url}/api/auth/idp`, { headers: HTML })
  const consent = await browser.press(again, 'ada')
  const { address } = await browser.press(consent, 'Deny', /\/api\/auth\/idp/)
  const json = await browser.visit(address)
  assert.equal(json.status, 401)
  assert.deepEqual(JSON.parse(json.body), {
    error: 'Unauthorized',
    details: 'The sign-in was canceled or the identity provider denied it.',
  })
  assert.equal(browser.cookie('service_session'), undefined)
})

test('a callback works once, and only in the browser that started the sign-in', async () => {
  const browser = new Browser()
  const callback = await callbackOf(browser)
  const elsewhere = await new Browser().visit(callback)
  assert.equal(elsewhere.status, 400)
  assert.match(JSON.parse(elsewhere.body).details, /started in another browser/)

  const other = new Browser()
  await other.visit(`${service.url}/api/auth/idp`)
  assert.equal((await other.visit(callback)).status, 400)
  assert.equal(other.cookie('service_session'), undefined)

  assert.equal((await browser.visit(callback)).status, 200)
  const replayed = await browser.visit(callback)
  assert.equal(replayed.status, 400)
  assert.match(JSON.parse(replayed.body).details, /already used/)
})

test('a stolen code and cookie do not work a second time', async () => {
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

test('a callback that was tampered with is rejected', async () => {
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

test('several tabs can sign in at the same time, each to its own page', async () => {
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

test('PKCE, state, nonce and a cookie bind a sign-in to the browser', async () => {
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

test('choose_account lets the user pick another account', async () => {
  const browser = new Browser()
  await signIn(browser, 'eve')
  const requested = await signIn(browser, 'ada', service, '/api/auth/idp?choose_account=true&return_to=%2F')
  assert.equal(requested.status, 200)
  assert.match((await browser.visit(`${service.url}/api/auth/me`)).body, /Ada Beck/)
  const failed = await signIn(
    browser,
    'eve',
    service,
    '/api/auth/idp?choose_account=true&return_to=%2Fx%3Fy%3D1',
  )
  assert.match(failed.body, /href="\/api\/auth\/idp\?return_to=%2Fx%3Fy%3D1"/)
  assert.match(failed.body, /<a href="\/home">Continue as ada@example.com/)
})

test('a HEAD request for the callback does not use it up', async () => {
  const browser = new Browser()
  const callback = await callbackOf(browser)
  const head = await browser.visit(callback, { method: 'HEAD' })
  assert.equal(head.status, 401)
  assert.equal((await browser.visit(callback)).status, 200)
})

test('unfinished sign-ins do not fill the cookie jar', async () => {
  const browser = new Browser()
  for (let times = 0; times < 40; times++)
    await browser.visit(`${service.url}/api/auth/idp`, {}, /interaction/)
  const names = browser.cookieNames().filter((name) => name.startsWith('service_sign_in_'))
  assert.ok(names.length <= 8, String(names.length))
  assert.equal((await signIn(browser, 'ada')).status, 200)
})

test('return_to only accepts pages of this service', async () => {
  for (const path of ['/companies?status=active&x=%2F', '/home#top', '/', '/apiary']) {
    const start = `/api/auth/idp?return_to=${encodeURIComponent(path)}`
    const browser = new Browser()
    await signIn(browser, 'ada', service, start)
    assert.equal(browser.visited.at(-1), service.url + path)
  }
  const browser = new Browser()
  const long = encodeURIComponent(`/companies?filter=${'x'.repeat(3000)}`)
  await signIn(browser, 'ada', service, `/api/auth/idp?return_to=${long}`)
  assert.equal(browser.visited.at(-1), `${service.url}/home`)
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
