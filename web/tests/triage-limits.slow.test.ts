/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { untilFocused } from './company-rows.ts'
import { withLimitedDemo } from './demo.ts'

const COMPANIES = 50
const PACE_MS = 1000
/** The next page of the list, and the requests that the page repeats every 15 seconds. */
const MAX_OTHERS = 25
const demo = withLimitedDemo()

/** Records the requests of a page to the API, and their statuses, from now on. */
function recordRequests(page: Page): { addresses: string[]; rateLimited: string[] } {
  const recorded = { addresses: [] as string[], rateLimited: [] as string[] }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!/^\/api\//.test(pathname) || /\/(events|logo)$/.test(pathname)) return
    recorded.addresses.push(`${request.method()} ${pathname}`)
  })
  page.on('response', (response) => {
    if (response.status() === 429) recorded.rateLimited.push(response.url())
  })
  return recorded
}

test('fifty companies are triaged by keyboard at one per second, with a request each and one refresh after', {
  skip,
}, async () => {
  const { data } = await demo.api.listCompanies({ querystring: { sort: 'name', limit: COMPANIES } })
  const ids = data.map(({ id }) => id)
  await demo.api.updateCompanies({ body: { ids, changes: { status: 'active' } } })
  const filter = JSON.stringify({ field: 'status', op: 'eq', value: 'active' })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name&filter=${encodeURIComponent(filter)}`)
  await untilFocused(page, ids[0])
  await requestsEnded(page)
  const recorded = recordRequests(page)
  for (const id of ids) {
    const startedAt = performance.now()
    await untilFocused(page, id)
    for (const key of ['s', '2']) await page.keyboard.press(key)
    await page.waitForTimeout(Math.max(0, PACE_MS - (performance.now() - startedAt)))
  }
  const during = recorded.addresses.length
  const changes = recorded.addresses.filter((address) => address.startsWith('PATCH')).length
  await requestsEnded(page)
  assert.deepEqual(recorded.rateLimited, [])
  assert.equal(changes, COMPANIES)
  assert.ok(during <= COMPANIES + MAX_OTHERS, `${recorded.addresses}`)
  assert.equal(await page.getByText(/Too many requests/).count(), 0)
  await eventually(async () => {
    const { data: now } = await demo.api.listCompanies({ querystring: { sort: 'name', limit: COMPANIES } })
    assert.ok(now.every(({ status }) => status !== 'active'))
  })
  check()
  await close()
})

test('the notice about the rate limit does not move the page', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies`)
  await page.locator('tbody tr').first().waitFor()
  await requestsEnded(page)
  const positions = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main h1, main thead, main tbody tr')].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return [x, y, width, height]
      }),
    )
  const before = await positions()
  await page.route('**/api/companies/cmp_*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': '2' },
      json: { error: 'Too many requests', details: 'The limit is 600.' },
    })
  })
  for (const key of ['j', 's', '2']) await page.keyboard.press(key)
  await page.getByText(/Too many requests/).waitFor()
  assert.deepEqual(await positions(), before)
  await page.unroute('**/api/companies/cmp_*')
  await page.getByText(/Too many requests/).waitFor({ state: 'hidden' })
  assert.deepEqual(await positions(), before)
  check()
  await close()
})
