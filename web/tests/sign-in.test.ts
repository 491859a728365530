/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type RunningProvider,
  startIdentityProvider,
} from '#dev/identity-provider.ts'
import { builtWebApp } from '#src/platform/http/web-app.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freePort } from '#src/testing/free-port.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()
let provider: RunningProvider
let api: TestApp
let url: string
before(async () => {
  if (skip) return
  provider = await startIdentityProvider()
  const port = await freePort()
  url = `http://localhost:${port}`
  // The four settings of the README, and the address of this test.
  api = await testApp(
    {
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: CLIENT_ID,
      IDP_CLIENT_SECRET: CLIENT_SECRET,
      ALLOWED_DOMAIN: 'example.com',
      PUBLIC_URL: url,
    },
    { webFolder: builtWebApp() },
  )
  await api.app.listen({ port, host: 'localhost' })
})
after(async () => {
  await api?.close()
  await provider?.close()
})

test('a link of more than 2,000 characters opens after the sign-in', { skip }, async () => {
  const { page, check, close } = await openPage({ user: null })
  const link = `${url}/companies?q=robots&long=${'x'.repeat(4200)}`
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: /ada/ }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL((address) => address.pathname === '/companies')
  assert.match(page.url(), /q=robots/)
  await close()
  await check()
})

test('in development, an email address is enough and is remembered', { skip }, async () => {
  const { page, check, close } = await openPage({ user: null })
  await page.goto(`${demo.url}/companies?q=robots`)
  await page.getByRole('heading', { name: 'Development sign-in' }).waitFor()
  const email = page.locator('input[type=email]')
  await email.fill('nobody')
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match(page.url(), /\/\?return_to=/)
  await email.fill('grace@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${demo.url}/companies?q=robots`)
  await page.getByRole('heading', { name: 'Companies', exact: true }).waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('service_dev_user_email')), 'grace@example.com')
  await page.goto(demo.url)
  await page.waitForURL(`${demo.url}/home`)
  await page.getByRole('note', { name: 'Development' }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${demo.url}/`)
  await page.getByRole('button', { name: 'grace@example.com' }).waitFor()
  check()
  await close()
})

test('a user signs in through the provider, sees their account, and signs out', { skip }, async () => {
  const { page, check, close } = await openPage({ user: null })
  await page.goto(url)
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Ada Beck' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${url}/home`)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByText('ada@example.com').first().waitFor()

  const cookie = (await page.context().cookies()).find(({ name }) => name === 'service_session')
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, 'Lax', '/'])
  const weeks = ((cookie?.expires ?? 0) - Date.now() / 1000) / (7 * 86_400)
  assert.ok(Math.abs(weeks - 1) < 0.001)
  assert.equal(await page.evaluate('document.cookie'), '')

  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${url}/`)
  await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
  assert.deepEqual(
    (await page.context().cookies()).filter(({ name }) => name === 'service_session'),
    [],
  )
  check()
  await close()
})

test('an expired session does not lose any text', { skip }, async () => {
  const { page, close } = await openPage({ user: null })
  await page.goto(`${url}/api/auth/idp`)
  await page.getByRole('button', { name: 'Ada Beck' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${url}/home`)
  await page.getByRole('button', { name: 'Feedback' }).click()
  await page.getByRole('textbox', { name: 'Subject' }).fill('The board forgets its filter')
  // An answer that arrives later would bring the session back.
  await requestsEnded(page)
  const session = await page.context().cookies()
  await page.context().clearCookies()
  await page.context().addCookies([{ name: 'service_session', value: 'old', url }])
  // A check in the background may notice first. The feedback would then be sent in the next session.
  const refusal = page.waitForResponse('**/api/feedback')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  assert.equal((await refusal).status(), 401)
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  await page.context().clearCookies()
  await page.context().addCookies(session)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'hidden' })
  assert.equal(
    await page.getByRole('textbox', { name: 'Subject' }).inputValue(),
    'The board forgets its filter',
  )
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Thank you. Your feedback was filed.').waitFor()
  await close()
})

test('a user who may not sign in sees the reason', { skip }, async () => {
  const { page, close } = await openPage({ user: null })
  await page.goto(`${url}/api/auth/idp?return_to=/home`)
  await page.getByRole('button', { name: 'Eve' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText(/The e-?mail address eve@evil-example\.com may not sign in here\./).waitFor()
  assert.deepEqual(
    (await page.context().cookies()).filter(({ name }) => name === 'service_session'),
    [],
  )
  await close()
})
