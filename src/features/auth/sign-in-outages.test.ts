import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, HTML } from '#dev/browser.ts'
import { startIdentityProvider } from '#dev/identity-provider.ts'
import { testApp } from '#src/testing/app.ts'
import { freePort } from '#src/testing/free-port.ts'
import { accounts, signIn, startBeforeTests, startService } from './sign-in.fixture.ts'

startBeforeTests()

test('if the database fails during a sign-in, the response is a 503 without a session', async () => {
  const broken = await startService()
  try {
    const browser = new Browser()
    const { address } = await signIn(browser, 'ada', broken, '/api/auth/idp', /\/api\/auth\/idp\?/)
    broken.api.context.db.transaction = () => {
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

test('the service starts while the provider is down, and sign-in works once it is back', async (context) => {
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
      context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2100 })
      assert.equal((await signIn(new Browser(), 'ada', late)).status, 200)
    } finally {
      await back.close()
    }
  } finally {
    await late.api.close()
  }
})

test('if the provider fails during a sign-in, the response is a 503 without a session', async () => {
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

test('wrong client credentials give an error that says so', async () => {
  const own = await startService({ IDP_CLIENT_SECRET: 'wrong' })
  try {
    const answer = await signIn(new Browser(), 'ada', own)
    assert.equal(answer.status, 503)
    assert.match(answer.body, /does not accept this service as (?:its|a) client/)
  } finally {
    await own.api.close()
  }
})

test('without a provider, sign-in in development says which settings are missing', async () => {
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

test('in development, sign-in moves to the host of PUBLIC_URL, which the provider redirects to', async () => {
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
