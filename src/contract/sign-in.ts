import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { type Answer, Browser, HTML } from '#dev/browser.ts'
import { anonymous, assertError, dataOf, send } from './client.ts'
import { ALLOWED_EMAIL, productionService } from './services.ts'

const WEEK_SECONDS = 7 * 24 * 60 * 60

/** Signs in as this account on the provider's pages. */
async function signIn(browser: Browser, account: string, stopAt?: RegExp): Promise<Answer> {
  const page = await browser.visit(`${productionService().url}/api/auth/idp`, { headers: HTML })
  const consent = await browser.press(page, account, stopAt)
  return consent.body.includes('Allow') ? browser.press(consent, 'Allow', stopAt) : consent
}

/** The callback URL with the authorization code, not yet visited. */
const callbackOf = async (browser: Browser, account: string) =>
  (await signIn(browser, account, /\/api\/auth\/idp\?/)).address

describe('5. Authentication: Browser login (production)', () => {
  let home: Answer
  let browser: Browser
  let token: string

  before(async () => {
    browser = new Browser()
    home = await signIn(browser, 'ada', /\/home$/)
    token = browser.cookie('service_session') ?? ''
  })

  test('GET /api/auth/idp starts the OAuth 2.0 authorization flow', async () => {
    const { status, headers } = await anonymous(productionService()).get('/api/auth/idp')
    assert.equal(status, 302)
    const { searchParams } = new URL(headers.get('location') ?? '')
    assert.equal(searchParams.get('response_type'), 'code')
    assert.equal(searchParams.get('redirect_uri'), `${productionService().url}/api/auth/idp`)
    for (const name of ['client_id', 'scope', 'state']) assert.ok(searchParams.get(name), name)
  })

  test("GET /api/auth/idp also handles the provider's callback with the authorization code", async () => {
    const another = new Browser()
    const callback = await callbackOf(another, 'chiara')
    assert.ok(new URL(callback).searchParams.get('code'))
    const answer = await another.visit(callback, {}, /\/home$/)
    assert.equal(answer.status, 302)
    assert.ok(another.cookie('service_session'))
  })

  test('an email address that ends in the allowed domain signs in', async () => {
    const { email } = await dataOf(
      anonymous(productionService()).get('/api/auth/me', { cookie: cookieOf(token) }),
    )
    assert.equal(email, 'ada@example.com')
  })

  test('an email address that equals one on the allowlist signs in', async () => {
    const listed = new Browser()
    await signIn(listed, 'listed', /\/home$/)
    assert.equal(decodeJwt(listed.cookie('service_session') ?? '').email, ALLOWED_EMAIL)
  })

  test('any other address is rejected with status 403: {error, details}', async () => {
    const other = new Browser()
    const callback = await callbackOf(other, 'eve')
    const { status, body } = await other.visit(callback)
    assert.equal(status, 403)
    assert.deepEqual(Object.keys(JSON.parse(body)).sort(), ['details', 'error'])
    assert.equal(other.cookie('service_session'), undefined)
  })

  test('the service creates the user record on first login', async () => {
    const client = anonymous(productionService())
    const user = await dataOf(client.get('/api/users/ada@example.com', { cookie: cookieOf(token) }))
    assert.deepEqual([user.email, user.name], ['ada@example.com', 'Ada Beck'])
    assert.ok(Date.parse(user.created_at) <= (decodeJwt(token).iat ?? 0) * 1000 + 1000)
  })

  test('the service issues a signed JWT with a 7-day lifetime; exp is 7 days after iat, in Unix seconds', () => {
    assert.equal(decodeProtectedHeader(token).alg, 'HS256')
    const { iat = 0, exp } = decodeJwt(token)
    assert.ok(Number.isInteger(iat) && Math.abs(iat - Date.now() / 1000) < 120)
    assert.equal(exp, iat + WEEK_SECONDS)
  })

  test('the token has sub (identity-provider subject), email, name, picture (URL)', () => {
    const { sub, email, name, picture } = decodeJwt(token)
    assert.deepEqual(
      { sub, email, name, picture },
      {
        sub: 'ada',
        email: 'ada@example.com',
        name: 'Ada Beck',
        picture: 'https://people.example.com/ada.jpg',
      },
    )
  })

  test('it sets the cookie service_session and redirects to /home', () => {
    assert.equal(home.status, 302)
    assert.equal(home.address, `${productionService().url}/home`)
    assert.match(setCookieOf(home), /^service_session=[^;]+;/)
  })

  test('later requests carry the cookie', async () => {
    assert.equal((await browser.visit(`${productionService().url}/api/stats`)).status, 200)
  })

  test('session cookie: lifetime 7 days, HttpOnly, SameSite Lax, Secure in production', () => {
    const attributes = setCookieOf(home).split('; ').slice(1)
    for (const attribute of [`Max-Age=${WEEK_SECONDS}`, 'HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/'])
      assert.ok(attributes.includes(attribute), attribute)
  })

  test('a modified token is rejected', async () => {
    const [header, payload, signature = ''] = token.split('.')
    const forged = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    await assertError(anonymous(productionService()).get('/api/stats', { cookie: cookieOf(forged) }), 401)
  })
})

describe('5. Authentication: Browser login, what the contract leaves open', () => {
  test('the callback accepts extra parameters from the provider', async () => {
    const browser = new Browser()
    const callback = await callbackOf(browser, 'ben')
    await browser.visit(`${callback}&session_state=1&authuser=0&prompt=none`, {}, /\/home$/)
    assert.ok(browser.cookie('service_session'))
  })

  test('an address that the provider has not verified is a 403', async () => {
    const browser = new Browser()
    const { status } = await browser.visit(await callbackOf(browser, 'una'))
    assert.equal(status, 403)
  })

  test('IDP_ASSUME_VERIFIED=true accepts a provider that sends no email_verified claim', async () => {
    const browser = new Browser()
    const { status } = await browser.visit(await callbackOf(browser, 'unclaimed'), {}, /\/home$/)
    assert.equal(status, 302)
    assert.equal(decodeJwt(browser.cookie('service_session') ?? '').email, 'uma@example.com')
  })

  test('a failed sign-in is a page for browsers and JSON for programs', async () => {
    const address = `${productionService().url}/api/auth/idp?code=none&state=none`
    const page = await send(address, { headers: HTML })
    assert.equal(page.status, 400)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    await assertError(send(address, {}), 400)
  })

  test('sign-in without an identity provider is a 503', async () => {
    await assertError(anonymous().get('/api/auth/idp'), 503, /identity provider/)
  })
})

const cookieOf = (token: string) => `service_session=${token}`
const setCookieOf = ({ headers }: Answer) =>
  headers.getSetCookie().find((line) => line.startsWith('service_session=')) ?? ''
