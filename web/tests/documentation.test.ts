/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freePort } from '#src/testing/free-port.ts'
import { openPage, skip, withBrowser } from './browser.ts'

let api: TestApp
let url: string
before(async () => {
  if (skip) return
  const port = await freePort()
  api = await testApp({ PORT: String(port) })
  await api.app.listen({ port, host: 'localhost' })
  url = api.config.publicUrl
})
withBrowser()
after(() => api?.close())

test('the API documentation renders and sends a request within its content security policy', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  const violations = () => messages.filter((text) => /Content Security Policy|violates/i.test(text))
  await page.goto(`${url}/docs`)
  await page.getByRole('heading', { name: 'deal-pipeline' }).first().waitFor()
  const hosts = await page
    .locator('a[href^=http]:visible')
    .evaluateAll((links) => [...new Set(links.map((link) => new URL((link as HTMLAnchorElement).href).host))])
  assert.deepEqual(hosts, [new URL(url).host])
  await page.getByText('Check whether sign-in works').first().click()
  await page.getByRole('button', { name: /Test Request.*auth.status/s }).click()
  const answered = page.waitForResponse(`${url}/api/auth/status`)
  await page
    .getByRole('button', { name: /^Send Request/ })
    .last()
    .click()
  assert.equal((await answered).status(), 200)
  assert.deepEqual(violations(), [])
  check()
  // The check works: an inline script is reported.
  const reported = page.waitForEvent('console', (message) => /Content Security Policy/.test(message.text()))
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "inline"'
    document.head.append(script)
  })
  await reported
  assert.notEqual(await page.title(), 'inline')
  assert.equal(violations().length, 1)
  await close()
})
