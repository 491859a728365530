import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { builtWebApp } from '#src/platform/http/web-app.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freePort } from '#src/testing/free-port.ts'
import { assertAccessible } from './axe.ts'
import { openPage, skip, withBrowser } from './browser.ts'
import { buildWebApp } from './demo.ts'

let api: TestApp
let url: string
before(async () => {
  if (skip) return
  buildWebApp()
  const port = await freePort()
  url = `http://localhost:${port}`
  api = await testApp({ PUBLIC_URL: url }, { webFolder: builtWebApp() })
  await api.app.listen({ port, host: 'localhost' })
})
withBrowser()
after(() => api?.close())

test('the calendar address is created, shown once, replaced, and revoked', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${url}/settings`)
  const section = page.getByRole('region', { name: 'Calendar' })
  const address = section.getByRole('textbox', { name: 'Calendar address' })
  const statusOf = async (file: string) => (await fetch(file)).status
  await section.getByRole('button', { name: 'Create address' }).click()
  await address.waitFor()
  const first = await address.inputValue()
  assert.equal(await statusOf(first), 200)
  await section.getByText('This is the only time it is shown.').waitFor()
  await assertAccessible(page, 'settings with a calendar address')

  await section.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace address' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const second = await address.inputValue()
  assert.notEqual(second, first)
  assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200])

  await page.reload()
  await section.getByText(/^Created .* Last read /).waitFor()
  assert.equal(await address.count(), 0)
  await section.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke address' }).click()
  await section.getByRole('button', { name: 'Create address' }).waitFor()
  assert.equal(await statusOf(second), 404)
  check()
  await close()
})
