/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, Page, Route } from 'playwright-core'
import { launchChromium, openPage, skip } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

let browser: Browser
let demo: Demo
before(async () => {
  if (skip) return
  demo = await startDemo()
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await demo?.close()
})

const respond503 = (route: Route) =>
  route.fulfill({
    status: 503,
    contentType: 'application/json',
    body: JSON.stringify({ error: 'x', details: 'The database cannot be reached.' }),
  })

/** Holds requests with this method until the returned function is called. */
async function holdRequests(page: Page, address: string, method: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() === method) await promise
    await route.fallback()
  })
  return resolve
}

test('a selection survives another search, a bulk change, and an outage, and can be exported', {
  skip,
}, async () => {
  await demo.api.createCompany({ body: { name: 'Outlier' } })
  const { pagination } = await demo.api.listCompanies({ querystring: { search: 'an', limit: 1 } })
  const all = pagination.total + 1
  const { page, check, close } = await openPage(browser)
  await page.goto(`${demo.url}/companies?q=Outlier`)
  await page.getByRole('checkbox', { name: 'Select Outlier' }).click()
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('an')
  await page.locator('tbody tr').nth(49).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: `Select all ${pagination.total} matching companies` }).click()
  await page.getByText(`${all} selected`).waitFor()
  assert.equal(await page.getByRole('button', { name: /matching companies/ }).count(), 0)

  let refused = 0
  await page.route(/api\/companies\?/, (route) => {
    refused++
    return respond503(route)
  })
  await page.getByRole('button', { name: 'Change status' }).click()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Acquired' }).click()
  await page.getByRole('button', { name: `Update ${all} companies` }).click()
  await page.getByText(/companies updated/).waitFor()
  for (let tries = 0; tries < 100 && refused < 3; tries++) await page.waitForTimeout(100)
  await page.waitForTimeout(200)
  assert.ok((await page.locator('tbody tr').count()) === 50)
  await page.unroute(/api\/companies\?/)

  const download = page.waitForEvent('download')
  await page
    .getByRole('region', { name: 'Selected companies' })
    .getByRole('button', { name: 'Export CSV' })
    .click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
  assert.equal(lines.length, all + 1)
  assert.equal(lines.filter((line) => line.includes('Outlier')).length, 1)
  check()
  await close()
})

test('a bulk action that is being sent cannot be canceled, because it may have started', {
  skip,
}, async () => {
  const { page, check, close } = await openPage(browser)
  const release = await holdRequests(page, '**/api/bulk-actions', 'POST')
  await page.goto(`${demo.url}/companies`)
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .click()
  await page.getByRole('button', { name: 'Run AI' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Run on 1 company' }).click()
  await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForTimeout(300)
  assert.ok(await dialog.isVisible())
  release()
  await page.waitForURL(/bulk-actions\/ba_/)
  check()
  await close()
})

test('a company created after its dialog was closed is announced without navigation', { skip }, async () => {
  const { page, check, close } = await openPage(browser)
  const release = await holdRequests(page, '**/api/companies', 'POST')
  await page.goto(`${demo.url}/companies`)
  await page.getByRole('button', { name: 'New company' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Closed Early')
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  release()
  await page.getByText('Closed Early created.').waitFor()
  await page.waitForTimeout(300)
  assert.equal(new URL(page.url()).pathname, '/companies')
  check()
  await close()
})

test('moving the score slider adds a single history entry', { skip }, async () => {
  const { page, check, close } = await openPage(browser)
  await page.goto(`${demo.url}/companies`)
  const slider = page.getByRole('slider', { name: 'Minimum score' })
  await slider.focus()
  const before = await page.evaluate(() => history.length)
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowRight')
  await page.waitForURL(/min_score=20/)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/min_score=25/)
  assert.equal(await page.evaluate(() => history.length), before + 1)
  check()
  await close()
})

test('the activity can be filtered by event', { skip }, async () => {
  const { page, check, close } = await openPage(browser)
  await page.goto(`${demo.url}/activity`)
  await page.getByRole('combobox', { name: 'Event' }).selectOption('Deals opened')
  await page.waitForURL(/activity_type=dealflow_created/)
  const { pagination } = await demo.api.listActivity({ querystring: { activity_type: 'dealflow_created' } })
  await page.getByText(new RegExp(`^${pagination.total} events?, newest first`)).waitFor()
  await page.getByRole('radiogroup').getByText('Theses', { exact: true }).click()
  await page.waitForURL((address) => !address.search.includes('activity_type'))
  check()
  await close()
})

test('an error that affects several panels of the home screen is shown once', { skip }, async () => {
  const { page, close } = await openPage(browser)
  await page.route('**/api/companies/facets*', respond503)
  await page.goto(`${demo.url}/home`)
  await page.getByRole('alert').first().waitFor()
  assert.equal(await page.getByRole('alert').count(), 1)
  await close()
})
