/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { hasFocus, openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { hold } from './hold.ts'

const demo = withDemo()

/** Opens the list of companies with the focus on the first. */
async function openList(page: Page): Promise<string> {
  await page.goto(`${demo.url}/companies?sort=name`)
  const first = page.locator('tbody tr').first().locator('a[data-record]')
  await hasFocus(first)
  return first.innerText()
}

test('a mark is shown until the app is loaded, in both color schemes', { skip }, async () => {
  for (const [colorScheme, background] of [
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(26, 27, 31)'],
  ] as const) {
    const { page, check, close } = await openPage({ colorScheme })
    const release = await hold(page, '**/assets/index-*.js')
    await page.goto(`${demo.url}/home`, { waitUntil: 'commit' })
    const mark = page.locator('.starting')
    await mark.waitFor()
    assert.equal(await mark.evaluate((element) => getComputedStyle(element).backgroundColor), background)
    release()
    await page.locator('main h1').waitFor()
    assert.equal(await mark.isVisible(), false)
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), background)
    check()
    await close()
  }
})

test('keys change a company while its list is refetched after Back', { skip }, async () => {
  const { page, check, close } = await openPage()
  const name = await openList(page)
  await requestsEnded(page)
  await page.keyboard.press('Enter')
  await page.locator('main h1').getByText(name, { exact: true }).waitFor()
  await requestsEnded(page)
  const release = await hold(page, /\/api\/companies\?/)
  await page.goBack()
  await hasFocus(page.locator('tbody tr').first().locator('a[data-record]'))
  await page.keyboard.press('s')
  await page.getByRole('dialog', { name: `Change status of ${name}` }).waitFor()
  release()
  check()
  await close()
})

/** Records the requests that a page sends to the API, by path and query. */
function apiRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) requests.push(pathname + search)
  })
  return requests
}

const isNotificationCount = (request: string): boolean => request.startsWith('/api/notifications?unread')

const LIST = '/api/companies?limit=50&offset=0'

test('a screen requests its data while its code loads, and only once', { skip }, async () => {
  const [company, thesis] = await Promise.all([
    demo.api.listCompanies({ querystring: { limit: 1 } }),
    demo.api.listTheses({ querystring: { limit: 1 } }),
  ])
  const [ofCompany, ofThesis] = [`/companies/${company.data[0]?.id}`, `/theses/${thesis.data[0]?.id}`]
  for (const [address, code, first] of [
    ['/home', 'home', '/api/stats'],
    ['/companies', 'companies', LIST],
    [ofCompany, 'company', `/api${ofCompany}`],
    ['/pipeline', 'pipeline', '/api/dealflow/stages?limit=50'],
    ['/theses', 'theses', '/api/theses'],
    [ofThesis, 'thesis', `/api${ofThesis}`],
  ] as const) {
    // A notification that arrives meanwhile has their number read again, but not each time.
    const repeated = await eventually(async () => {
      const { page, check, close } = await openPage()
      const requests = apiRequests(page)
      const release = await hold(page, `**/assets/${code}-*.js`)
      await page.goto(demo.url + address, { waitUntil: 'commit' })
      await eventually(() => assert.ok(requests.includes(first), String(requests)))
      assert.equal(await page.locator('main h1').count(), 0)
      release()
      await page.locator('main h1').waitFor()
      await requestsEnded(page)
      check()
      await close()
      const repeated = requests.filter((one, index) => requests.indexOf(one) !== index)
      assert.deepEqual(repeated.filter(isNotificationCount), [])
      return repeated
    })
    assert.deepEqual(repeated, [], address)
  }
})

test('a page does not request a list that its address does not show', { skip }, async () => {
  for (const address of ['/companies?sort=name', '/companies/import', '/settings']) {
    const { page, check, close } = await openPage()
    const requests = apiRequests(page)
    await page.goto(demo.url + address)
    await page.locator('main h1').waitFor()
    await requestsEnded(page)
    assert.ok(!requests.includes(LIST) && !requests.includes('/api/companies/import'), String(requests))
    check()
    await close()
  }
})
