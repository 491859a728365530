import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type RunningProvider,
  startIdentityProvider,
} from '#dev/identity-provider.ts'
import { freePort, type TestApp, testApp } from '#src/testing.ts'

const executablePath = '/usr/bin/chromium'
const skip = !existsSync(executablePath) && 'needs chromium'

let provider: RunningProvider
let api: TestApp
let url: string
let browser: Browser
before(async () => {
  if (skip) return
  provider = await startIdentityProvider()
  const port = await freePort()
  url = `http://localhost:${port}`
  // The four settings of the README, and where this test listens.
  api = await testApp({
    IDP_ISSUER: provider.issuer,
    IDP_CLIENT_ID: CLIENT_ID,
    IDP_CLIENT_SECRET: CLIENT_SECRET,
    ALLOWED_DOMAIN: 'example.com',
    PUBLIC_URL: url,
  })
  await api.app.listen({ port, host: 'localhost' })
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
after(async () => {
  await browser?.close()
  await api?.close()
  await provider?.close()
})

test('a person signs in, sees who they are, and signs out, in Chromium', { skip }, async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const isOurs = message.location().url.startsWith(url)
    if (isOurs && message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))

  await page.goto(url)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Ada Beck' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Ada Beck' }).waitFor()
  assert.equal(page.url(), `${url}/home`)

  const cookie = (await context.cookies()).find(({ name }) => name === 'service_session')
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, 'Lax', '/'])
  const weeks = ((cookie?.expires ?? 0) - Date.now() / 1000) / (7 * 86_400)
  assert.ok(Math.abs(weeks - 1) < 0.001)
  assert.equal(await page.evaluate('document.cookie'), '')
  await page.goto(`${url}/api/auth/me`)
  assert.match((await page.textContent('body')) ?? '', /"email": ?"ada@example\.com"/)

  await page.goBack()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${url}/`)
  await page.goto(`${url}/home`)
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  assert.deepEqual(complaints, [])
  await context.close()
})

test('who may not sign in reads why, in Chromium', { skip }, async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/api/auth/idp?return_to=/home`)
  await page.getByRole('button', { name: 'Eve' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('The e-mail address eve@evil-example.com may not sign in here.').waitFor()
  assert.deepEqual(
    (await context.cookies()).filter(({ name }) => name === 'service_session'),
    [],
  )
  await context.close()
})
