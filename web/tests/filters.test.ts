/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { slow } from '#src/testing/slow.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { hasFocus, openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'

/** Has room for the quick filters beside the list. */
const WIDE = { width: 1600, height: 900 }

const demo = withDemo()

const filterOf = (page: Page): unknown => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? 'null')

const waitForFilter = (page: Page, filter: unknown) =>
  page.waitForURL((address) => address.searchParams.get('filter') === JSON.stringify(filter))

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Types an option into the list that has the focus, and chooses it. */
async function choose(page: Page, option: string): Promise<void> {
  await page.keyboard.type(option)
  // Enter chooses the highlighted option, which is highlighted a moment after it appears.
  await page
    .getByRole('option', { name: option, exact: true })
    .and(page.locator('[data-combobox-selected]'))
    .waitFor()
  await page.keyboard.press('Enter')
}

const germany = { field: 'country_code', op: 'in', value: ['DE'] }
const either = { or: [germany, { field: 'llm_score_overall', op: 'gte', value: 80 }] }

test('an OR filter is built by keyboard alone, narrowed by a facet, and shared by its address', {
  skip,
}, async () => {
  const { page, check, close } = await openPage({ viewport: WIDE })
  // Few rows, for axe.
  await page.goto(`${demo.url}/companies?q=polar`)
  await page.locator('tbody tr').first().waitFor()

  await page.keyboard.press('f')
  const builder = page.getByRole('dialog', { name: 'Filter' })
  await builder.getByRole('combobox', { name: 'Field' }).waitFor()
  await page.locator('[data-field]:focus').waitFor()
  await choose(page, 'Country')
  await builder.getByRole('combobox', { name: 'Operator' }).waitFor()
  await press(page, 'Tab', 'Tab')
  await choose(page, 'Germany')
  await waitForFilter(page, germany)
  await page.keyboard.press('Enter')
  const add = builder.getByRole('button', { name: 'Add condition' })
  await press(page, 'Escape', 'Tab', 'Tab')
  await hasFocus(add)
  await page.keyboard.press('Enter')
  await page.locator('[data-field]:focus').waitFor()
  await choose(page, 'Score')
  await builder.getByRole('combobox', { name: 'Operator' }).nth(1).waitFor()
  await press(page, 'Tab', 'Tab', '8', '0', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab')
  await page.keyboard.type('or')
  await waitForFilter(page, either)
  await screenLoaded(page)
  await assertAccessible(page, 'the filter builder')
  await page.keyboard.press('Escape')
  await builder.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Quick filters' }).click()
  const owner = page.getByRole('region', { name: 'Owner' })
  await owner.getByRole('button', { name: /^No value/ }).click()
  const all = { and: [either, { field: 'owner_email', op: 'is_empty' }] }
  await waitForFilter(page, all)
  await owner.getByRole('button', { name: /^No value/, pressed: true }).waitFor()
  const { pagination } = await demo.api.queryCompanies({
    body: { filter: all as never, search: 'polar', limit: 0 },
  })
  const count = page.getByText(new RegExp(`^${pagination.total} matching compan`))
  await count.waitFor()

  const other = await openPage({ user: 'grace@example.com', viewport: WIDE })
  await other.page.goto(page.url())
  await other.page.getByText(new RegExp(`^${pagination.total} matching compan`)).waitFor()
  const chips = other.page.getByRole('region', { name: 'Active filters' })
  await chips.getByRole('button', { name: 'Remove filter Owner is empty' }).click()
  await waitForFilter(other.page, either)
  await chips.getByRole('button', { name: 'Country is Germany or Score is at least 80', exact: true }).click()
  const edited = other.page.getByRole('dialog', { name: 'Filter' })
  await edited.getByRole('button', { name: 'Remove condition 2' }).click()
  await waitForFilter(other.page, germany)
  assert.deepEqual(filterOf(page), all)
  for (const opened of [check, other.check]) opened()
  await other.close()
  await close()
})

test('a value that is typed while its options are loading is kept, and chosen when they arrive', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: WIDE })
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/api\/users\?/, async (route) => {
    await isReleased
    await route.continue()
  })
  const filter = { field: 'owner_email', op: 'in', value: ['me'] }
  await page.goto(`${demo.url}/companies?filter=${JSON.stringify(filter)}`)
  await page.getByRole('button', { name: 'Remove filter' }).waitFor()
  await page.keyboard.press('f')
  const builder = page.getByRole('dialog', { name: 'Filter' })
  const owner = builder.getByRole('combobox', { name: 'Value' })
  await owner.click()
  await page.keyboard.type('ada')
  release()
  await builder.getByRole('option').and(page.locator('[data-combobox-selected]')).waitFor()
  await hasFocus(owner)
  assert.equal(await owner.inputValue(), 'ada')
  await page.keyboard.press('Enter')
  await waitForFilter(page, { ...filter, value: ['me', 'ada@example.com'] })
  check()
  await close()
})

test('values typed while options cannot be loaded apply once the field is left', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: WIDE })
  await page.route(/\/api\/tags\b/, (route) =>
    route.fulfill({ status: 400, json: { error: 'Bad Request', details: 'Refused by the test.' } }),
  )
  const filter = { field: 'tags', op: 'in', value: ['AI'] }
  await page.goto(`${demo.url}/companies?filter=${JSON.stringify(filter)}`)
  await page.getByRole('button', { name: 'Remove filter' }).waitFor()
  await page.keyboard.press('f')
  const builder = page.getByRole('dialog', { name: 'Filter' })
  const tags = builder.getByRole('combobox', { name: 'Value' })
  await tags.click()
  await requestsEnded(page)
  await page.keyboard.type('robots, AI, deep tech')
  await builder.getByRole('combobox', { name: 'Operator' }).first().focus()
  await waitForFilter(page, { ...filter, value: ['AI', 'robots', 'deep tech'] })
  await tags.click()
  await page.keyboard.type('batteries')
  await page.mouse.click(5, 5)
  await builder.waitFor({ state: 'hidden' })
  await waitForFilter(page, { ...filter, value: ['AI', 'robots', 'deep tech', 'batteries'] })
  check()
  await close()
})

test('selected companies that a new filter hides are counted, and can be shown', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: WIDE })
  await page.goto(`${demo.url}/companies`)
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
  for (const index of [0, 1, 2]) await boxes.nth(index).click()
  await page.getByText('3 selected').waitFor()
  const ids = await page
    .locator('input[data-select]:checked')
    .evaluateAll((all) => all.map((box) => (box as HTMLElement).dataset.select ?? ''))
  await page.getByRole('button', { name: 'Quick filters' }).click()
  const status = page.getByRole('region', { name: 'Status' })
  await status.getByRole('button', { name: /^Acquired/ }).click()
  const filter = {
    and: [
      { field: 'status', op: 'eq', value: 'acquired' },
      { field: 'id', op: 'in', value: ids },
    ],
  }
  const { pagination } = await demo.api.queryCompanies({ body: { filter: filter as never, limit: 0 } })
  const hidden = 3 - pagination.total
  assert.notEqual(hidden, 0)
  const bar = page.getByRole('region', { name: 'Selected companies' })
  await bar.getByText(new RegExp(`^${hidden} selected compan.* hidden by the filter`)).waitFor()
  await bar.getByRole('button', { name: 'Show selected' }).click()
  await page.getByText('3 matching companies').waitFor()
  await page
    .getByRole('region', { name: 'Active filters' })
    .getByText('Record is one of 3 selected')
    .waitFor()
  await bar.getByText(/hidden by the filter/).waitFor({ state: 'hidden' })
  check()
  await close()
})

test('selected companies that a semantic search does not find are counted, or reported as possibly hidden', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: WIDE })
  const names = ['Hidden by meaning', 'Robots that weld']
  for (const name of names)
    await demo.api.createCompany({ body: { name, activity_description: 'Welding robots for shipyards.' } })
  await page.goto(`${demo.url}/companies`)
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  const bar = page.getByRole('region', { name: 'Selected companies' })
  // The results of a search depend on the model.
  const found = await demo.api.listCompanies({ querystring: { search: 'Robots that weld' } })
  const pagination = { total: 1, limit: 1000, offset: 0, hasMore: false }
  await page.route('**/api/companies/search/semantic?*', (route) => {
    const isLimited = new URL(route.request().url()).searchParams.get('q') === 'few'
    const data = found.data.map((company) => ({ ...company, similarity: 0.9, shares: [], matched_words: [] }))
    return route.fulfill({
      json: {
        data,
        pagination: { ...pagination, hasMore: !isLimited },
        answering: 'words',
        is_semantic: true,
      },
    })
  })
  const search = page.getByRole('searchbox', { name: 'Search companies' })
  await page.getByText('Best match', { exact: true }).click()
  await search.fill('few')
  await bar.getByText('1 selected company is hidden by the filter.').waitFor()
  await search.fill('many')
  await bar.getByText('Some selected companies may be hidden by the filter.').waitFor()
  await bar.getByRole('button', { name: 'Show selected' }).click()
  await page.getByText('2 matching companies').waitFor()
  check()
  await close()
})

test('more selected companies than an address can name are shown too, also after a reload', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: WIDE })
  await page.goto(`${demo.url}/companies`)
  const range = page.getByRole('navigation', { name: 'Pagination' })
  for (const number of [1, 2, 3, 4]) {
    await range.getByText(new RegExp(`^${number * 50 - 49}–${number * 50} of`)).waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByText(`${number * 50} selected`).waitFor()
    await range.getByRole('button', { name: 'Next page' }).click()
  }
  const bar = page.getByRole('region', { name: 'Selected companies' })
  await page.getByRole('button', { name: 'Quick filters' }).click()
  await page
    .getByRole('region', { name: 'Status' })
    .getByRole('button', { name: /^Acquired/ })
    .click()
  await bar.getByRole('button', { name: 'Show selected' }).click()
  await page.getByText('200 matching companies').waitFor()
  assert.equal(await bar.getByText(/hidden by the filter/).count(), 0)
  assert.ok(page.url().length < 1000, page.url())
  // Another page of them, and a reload, keep the filter.
  await range.getByRole('button', { name: 'Next page' }).click()
  await page.waitForURL(/page=2/)
  await page.reload()
  await page.getByText('200 matching companies').waitFor()

  // In another tab, the address shows why its list is empty.
  const other = await openPage({ viewport: WIDE })
  await other.page.goto(page.url())
  await other.page
    .locator('main')
    .getByRole('alert')
    .getByText(/These companies were selected in another tab/)
    .waitFor()
  await other.close()
  check()
  await close()
})

test('a filter that the service rejects is explained and can be cleared', { skip }, async () => {
  const { page, check, close } = await openPage({ viewport: WIDE })
  const filters = { 'a field': '{"field":"nope","op":"eq","value":1}', 'no JSON': '{"field"' }
  for (const [name, filter] of Object.entries(filters)) {
    await page.goto(`${demo.url}/companies?filter=${encodeURIComponent(filter)}`)
    const alert = page.locator('main').getByRole('alert').filter({ hasText: 'This list cannot be shown' })
    await alert.getByText(/^filter/).waitFor()
    await alert.getByRole('button', { name: 'Clear filters' }).click()
    await page.locator('tbody tr').first().waitFor()
    assert.equal(filterOf(page), null, name)
  }
  check()
  await close()
})

test('quick filters choose companies that are not scored, and those with yes or no', { skip }, async () => {
  await demo.api.createField({ body: { entity: 'company', label: 'Lead', key: 'lead', type: 'boolean' } })
  await demo.api.createCompany({ body: { name: 'Leading', custom: { lead: true } } })
  const { page, check, close } = await openPage({ viewport: WIDE })
  await page.goto(`${demo.url}/companies?min_score=50`)
  await page.getByRole('button', { name: 'Quick filters' }).click()
  const unscored = page.getByRole('button', { name: /^Not scored/ })
  await unscored.click()
  await waitForFilter(page, { field: 'llm_score_overall', op: 'is_empty' })
  await unscored.and(page.locator('[aria-pressed=true]')).waitFor()
  const lead = page.getByRole('region', { name: 'Lead' })
  await lead.getByRole('button', { name: /^Yes/ }).click()
  const yes = { field: 'custom.lead', op: 'eq', value: true }
  await waitForFilter(page, { and: [{ field: 'llm_score_overall', op: 'is_empty' }, yes] })
  await page.getByText('1 matching company').waitFor()
  // The other values keep their counts.
  await lead.getByRole('button', { name: /^No value \d/ }).waitFor()
  // A minimum replaces "Not scored".
  await page.getByRole('slider', { name: 'Minimum score' }).press('End')
  await waitForFilter(page, { and: [yes, { field: 'llm_score_overall', op: 'gte', value: 100 }] })
  check()
  await close()
})
