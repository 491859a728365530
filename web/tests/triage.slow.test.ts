/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { untilFocused, untilOpen } from './company-rows.ts'
import { withDemo } from './demo.ts'

const PAGE_SIZE = 50
const demo = withDemo()

/** Makes a list of active companies by name, two pages long. Returns its ids and its address. */
async function activeCompanies(tag: string): Promise<{ ids: string[]; address: string }> {
  const { data } = await demo.api.listCompanies({ querystring: { sort: 'name', limit: PAGE_SIZE + 10 } })
  const ids = data.map(({ id }) => id)
  await demo.api.updateCompanies({ body: { ids, changes: { status: 'active', add_tags: [tag] } } })
  const filter = JSON.stringify({
    and: [
      { field: 'status', op: 'eq', value: 'active' },
      { field: 'tags', op: 'eq', value: tag },
    ],
  })
  return { ids, address: `${demo.url}/companies?sort=name&filter=${encodeURIComponent(filter)}` }
}

async function pass(page: Page): Promise<void> {
  for (const key of ['s', '2']) await page.keyboard.press(key)
}

const statusOf = async (id: string) => (await demo.api.getCompany({ params: { id } })).data.company.status

test('a triage visits every company once, even if the changes remove companies from the list', {
  skip,
}, async () => {
  const { ids, address } = await activeCompanies('first triage')
  const passed = ids.filter((_id, position) => position % 5 === 4)
  const last = ids[PAGE_SIZE - 1]
  const { page, check, close } = await openPage()
  const { promise: isPageDone, resolve: save } = Promise.withResolvers<void>()
  // The keys are faster than the service.
  await page.route('**/api/companies/*', async (route) => {
    if (route.request().method() === 'PATCH') await isPageDone
    await route.continue()
  })
  await page.goto(address)
  await untilFocused(page, ids[0])
  await requestsEnded(page)
  for (const id of ids) {
    await untilFocused(page, id)
    if (passed.includes(id)) await pass(page)
    else await page.keyboard.press('j')
    if (id !== last) continue
    save()
    await requestsEnded(page)
  }
  await eventually(async () => {
    const statuses = await Promise.all(ids.map(statusOf))
    const changed = ids.filter((_id, position) => statuses[position] !== 'active')
    assert.deepEqual(changed, passed)
  })
  // The list ends here, and the focus stays in it.
  await page
    .locator('tbody tr')
    .nth(ids.length - passed.length)
    .waitFor({ state: 'detached' })
  await untilFocused(page, ids.filter((id) => !passed.includes(id)).at(-1))
  check()
  await close()
})

test('J and K go to the next company, even if the changes remove companies from the list', {
  skip,
}, async () => {
  const { ids, address } = await activeCompanies('second triage')
  const { page, check, close } = await openPage()
  await page.goto(address)
  await untilFocused(page, ids[0])
  await requestsEnded(page)
  await page.keyboard.press('End')
  for (const key of ['k', 'k', 'Enter']) await page.keyboard.press(key)
  for (const id of ids.slice(PAGE_SIZE - 3, PAGE_SIZE)) {
    await untilOpen(demo, page, id)
    await requestsEnded(page)
    await pass(page)
    if (id === ids[PAGE_SIZE - 1]) await requestsEnded(page)
    await page.keyboard.press('J')
  }
  for (const id of ids.slice(PAGE_SIZE, PAGE_SIZE + 3)) {
    await untilOpen(demo, page, id)
    await page.keyboard.press('J')
  }
  await untilOpen(demo, page, ids[PAGE_SIZE + 3])
  await requestsEnded(page)
  await pass(page)
  await requestsEnded(page)
  for (const id of ids.slice(PAGE_SIZE, PAGE_SIZE + 3).reverse()) {
    await page.keyboard.press('K')
    await untilOpen(demo, page, id)
  }
  await page.keyboard.press('Escape')
  await untilFocused(page, ids[PAGE_SIZE])
  check()
  await close()
})
