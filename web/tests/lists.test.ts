/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'
import { screenLoaded } from './axe.ts'
import {
  countsOf,
  openPage,
  pressQuickly,
  requestsEnded,
  SETTLED_MS,
  skip,
  transitionsEnded,
} from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

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

test('all matches except deselected ones are changed by the filter, and the dialog asks again when a different number matches', {
  skip: skip || slow,
}, async () => {
  const { pagination } = await demo.api.listCompanies({ querystring: { search: 'an', limit: 1 } })
  const all = pagination.total
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?q=an`)
  await page.locator('tbody tr').nth(49).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: `Select all ${all} matching companies` }).click()
  await page.getByText(`${all} selected`).waitFor()
  const first = page.locator('tbody tr').first().getByRole('checkbox')
  const name = ((await first.getAttribute('aria-label')) ?? '').replace('Select ', '')
  await first.click()
  await page.getByText(`${all - 1} selected`).waitFor()

  const named = async (of: string) =>
    (await demo.api.listCompanies({ querystring: { search: of } })).data.find((one) => one.name === of)
  const excluded = await named(name)
  const entering = (await demo.api.createCompany({ body: { name: 'Another Company' } })).data
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON())
  })
  await page.getByRole('button', { name: 'Change status' }).click()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Inactive' }).click()
  await page.getByRole('button', { name: `Update ${all - 1} companies` }).click()
  await page.getByText(`${all} companies match now, not ${all - 1}. Nothing was changed.`).waitFor()
  assert.equal((await demo.api.getCompany({ params: { id: entering.id } })).data.company.status, 'active')
  await page.getByRole('button', { name: `Update ${all} companies` }).click()
  await page.getByText(/companies updated/).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await named(name), excluded)
  assert.deepEqual(sent, [
    ...[all - 1, all].map((expect) => ({
      filter: { field: 'id', op: 'not_in', value: [excluded?.id] },
      search: 'an',
      expect,
      changes: { status: 'inactive' },
    })),
  ])
  assert.equal((await demo.api.getCompany({ params: { id: entering.id } })).data.company.status, 'inactive')

  // The keys ask again too, and another list has its own selection.
  await demo.api.createCompany({ body: { name: 'Yet Another Company' } })
  await page.locator('tbody tr').first().focus()
  await page.keyboard.press('t')
  await page.getByRole('dialog').getByRole('option', { name: 'No thesis' }).click()
  const again = page.getByRole('dialog', { name: 'The selection has changed' })
  await again.getByText(`${all + 1} companies match now, not ${all}.`).waitFor()
  await again.getByRole('button', { name: `Change ${all + 1} companies` }).click()
  await again.waitFor({ state: 'detached' })
  const others = { field: 'id', op: 'not_in', value: [excluded?.id] } as const
  const withThesis = { and: [others, { field: 'thesis_id', op: 'is_not_empty' as const }] }
  await eventually(async () => {
    const body = { filter: withThesis, search: 'an', limit: 0 }
    assert.equal((await demo.api.queryCompanies({ body })).pagination.total, 0)
  })
  assert.deepEqual(await named(name), excluded)
  assert.deepEqual(
    sent.slice(2),
    [all, all + 1].map((expect) => ({
      filter: others,
      search: 'an',
      expect,
      changes: { thesis_id: null },
    })),
  )
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('ann')
  await page.getByText(/ selected$/).waitFor({ state: 'detached' })
  check()
  await close()
})

test('the previous page cannot be selected while the next one loads', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  const answer = await holdRequests(page, '**/api/companies?*offset=50*', 'GET')
  await page.goto(`${demo.url}/companies`)
  await page.locator('tbody tr').nth(49).waitFor()
  const range = page.getByRole('navigation', { name: 'Pagination' })
  await range.getByRole('button', { name: 'Next page' }).click()
  await range.getByText(/^51–100 of/).waitFor()
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  assert.ok(await all.isDisabled())
  await all.click({ force: true })
  assert.ok(!(await all.isChecked()))
  answer()
  await all.click()
  await page.getByText('50 selected').waitFor()
  assert.ok(await all.isChecked())
  check()
  await close()
})

test('actions rejected because a different number matches can be repeated: by key, after leaving, an export, and a deletion', {
  skip: skip || slow,
}, async () => {
  let all = 0
  const add = async () => {
    all++
    await demo.api.createCompany({ body: { name: `Recounted ${all}` } })
  }
  while (all < 52) await add()
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?q=Recounted`)
  await page.locator('tbody tr').nth(49).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: 'Select all 52 matching companies' }).click()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByText('2 selected').waitFor()
  const sent: [number, object][] = []
  page.on('request', (request) => {
    if (request.method() !== 'PATCH') return
    const { expect, changes } = request.postDataJSON()
    sent.push([expect, changes])
  })
  const choose = async (key: string, option: string) => {
    await page.keyboard.press(key)
    await page.getByRole('dialog').getByRole('option', { name: option }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const again = page.getByRole('dialog', { name: 'The selection has changed' })

  // No selected company is on screen. The second change is made before the first is answered.
  await add()
  let release = await holdRequests(page, '**/api/companies', 'PATCH')
  await choose('s', 'Inactive')
  await choose('t', 'No thesis')
  release()
  const confirm = again.getByRole('button', { name: 'Change 3 companies' })
  await again.getByText('3 companies match now, not 2.').waitFor()
  await confirm.click()
  await eventually(async () => assert.equal(sent.length, 3))
  await confirm.click()
  await again.waitFor({ state: 'detached' })
  const [status, thesis] = [{ status: 'inactive' }, { thesis_id: null }]
  await eventually(async () => {
    assert.deepEqual(sent, [
      [2, status],
      [2, thesis],
      [3, status],
      [3, thesis],
    ])
    const filter = { field: 'status', op: 'eq', value: 'inactive' } as const
    const body = { filter, search: 'Recounted', limit: 0 }
    assert.equal((await demo.api.queryCompanies({ body })).pagination.total, 3)
  })

  await add()
  release = await holdRequests(page, '**/api/companies', 'PATCH')
  await choose('s', 'Acquired')
  await pressQuickly(page, 'g', 'h')
  await page.waitForURL('**/home')
  // The address changes before the screen, which would ask again.
  const bar = page.getByRole('region', { name: 'Selected companies' })
  await bar.waitFor({ state: 'detached' })
  release()
  await page.getByText('4 companies match now, not 3. Nothing was changed.').waitFor()

  await page.goBack()
  await page.getByText('4 selected').waitFor()
  await add()
  await bar.getByRole('button', { name: 'Export CSV' }).click()
  await page.getByText('5 companies match now, not 4. Nothing was exported.').waitFor()
  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
  assert.equal(lines.length, 6)

  await add()
  const deletions: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions.push(request.postDataJSON().expect)
  })
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete 5 companies' }).click()
  await page.getByText('6 companies match now, not 5.').waitFor()
  // A rejection is announced if the dialog was closed before it arrived.
  await add()
  release = await holdRequests(page, '**/api/companies', 'DELETE')
  await page.getByRole('button', { name: 'Delete 6 companies' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  release()
  await page.getByText('7 companies match now, not 6. Nothing was changed.').waitFor()
  await bar.getByRole('button', { name: 'Delete' }).click()
  release = await holdRequests(page, '**/api/companies', 'DELETE')
  await page.getByRole('button', { name: 'Delete 7 companies' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The user's later selection and dialog stay.
  await page.locator('tbody tr').getByRole('checkbox', { checked: false }).first().click()
  await bar.getByRole('button', { name: 'Change status' }).click()
  const next = page.getByRole('dialog', { name: 'Change the status of 8 companies' })
  await next.waitFor()
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
  release()
  await deleted
  await requestsEnded(page)
  assert.ok(await next.isVisible())
  assert.equal(await page.getByText('8 selected').count(), 1)
  assert.deepEqual(deletions, [5, 6, 7])
  const { pagination } = await demo.api.listCompanies({ querystring: { search: 'Recounted', limit: 1 } })
  assert.equal(pagination.total, all - 7)
  check()
  await close()
})

test('a filter with a thousand values lists its companies, and parts that cannot use it explain why', {
  skip: skip || slow,
}, async () => {
  const { data } = await demo.api.listCompanies({ querystring: { limit: 30 } })
  const others = Array.from({ length: 970 }, (_value, n) => `cmp_none${String(n).padStart(22, '0')}`)
  const filter = { field: 'id', op: 'in', value: [...data.map(({ id }) => id), ...others] }
  const query = `filter=${encodeURIComponent(JSON.stringify(filter))}`
  const tooLong = 'The filter is too long for this. Remove some of its values.'
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?${query}`)
  await page.getByText('30 matching companies').waitFor()
  await page.getByRole('button', { name: 'Quick filters' }).click()
  await page.getByRole('dialog').getByText(tooLong).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'More actions' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export 30 companies as CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
  assert.equal(lines.length, 31)

  await page.goto(`${demo.url}/companies?${query}&q=robots&by=semantic`)
  const alert = page.getByRole('alert').filter({ hasText: tooLong })
  await alert.getByRole('button', { name: 'Clear filters' }).waitFor()
  await page.goto(`${demo.url}/pipeline?${query}`)
  await page.getByRole('main').getByText(tooLong).waitFor()
  check()
  await close()
})

test('a selection survives another search, a bulk change, and an outage, and can be exported', {
  skip,
}, async () => {
  await demo.api.createCompany({ body: { name: 'Outlier' } })
  const { pagination } = await demo.api.listCompanies({ querystring: { search: 'an', limit: 1 } })
  const all = pagination.total + 1
  const { page, check, close } = await openPage()
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
  await eventually(() => assert.ok(refused >= 3))
  await requestsEnded(page)
  assert.equal(await page.locator('tbody tr').count(), 50)
  await page.unroute(/api\/companies\?/)

  const download = page.waitForEvent('download')
  await page
    .getByRole('region', { name: 'Selected companies' })
    .getByRole('button', { name: 'Export CSV' })
    .click()
  const csv = await readFile(await (await download).path(), 'utf8')
  assert.equal(csv.lastIndexOf('\ufeff'), 0)
  const lines = csv.trim().split('\n')
  assert.equal(lines.length, all + 1)
  assert.equal(lines.filter((line) => line.includes('Outlier')).length, 1)
  check()
  await close()
})

test('a bulk action that is being sent cannot be canceled, because it may have started', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
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
  await transitionsEnded(page)
  assert.ok(await dialog.isVisible())
  release()
  await page.waitForURL(/bulk-actions\/ba_/)
  check()
  await close()
})

test('a company created after its dialog was closed is announced without navigation', { skip }, async () => {
  const { page, check, close } = await openPage()
  const release = await holdRequests(page, '**/api/companies', 'POST')
  await page.goto(`${demo.url}/companies`)
  await page.getByRole('button', { name: 'New company' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Closed Early')
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  release()
  await page.getByText('Closed Early created.').waitFor()
  await requestsEnded(page)
  assert.equal(new URL(page.url()).pathname, '/companies')
  check()
  await close()
})

const hasMinimumScore = (score: number) => (address: URL) =>
  address.searchParams.get('filter') === `{"field":"llm_score_overall","op":"gte","value":${score}}`

test('moving the score slider adds a single history entry', { skip }, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1500, height: 900 } })
  await page.goto(`${demo.url}/companies`)
  await page.getByRole('button', { name: 'Quick filters' }).click()
  const slider = page.getByRole('slider', { name: 'Minimum score' })
  await slider.focus()
  const before = await page.evaluate(() => history.length)
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowRight')
  await page.waitForURL(hasMinimumScore(20))
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(hasMinimumScore(25))
  assert.equal(await page.evaluate(() => history.length), before + 1)
  check()
  await close()
})

test('a long activity appears a part at a time, and Back restores its scroll position', {
  skip: skip || slow,
}, async () => {
  const { data: companies } = await demo.api.listCompanies({ querystring: { limit: 60 } })
  await Promise.all(companies.map(({ id }) => demo.api.createDeal({ body: { company_id: id } })))
  for (const width of [360, 1280]) {
    const { page, check, close } = await openPage({ viewport: { width, height: 800 } })
    const counts = await countsOf(page, 'main section li')
    await page.goto(`${demo.url}/activity`)
    await screenLoaded(page)
    const all = await page.locator('main section li').count()
    assert.ok(all > companies.length && (await counts()).length > 2, `${await counts()} of ${all}`)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const top = () => page.evaluate(() => scrollY)
    const before = await top()
    assert.ok(before > 2000, String(before))
    // The router remembers elements that have fired a scroll event, which comes with the next frame.
    await requestsEnded(page, SETTLED_MS)
    await pressQuickly(page, 'g', 'h')
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor({ state: 'detached' })
    await page.goBack()
    await screenLoaded(page)
    assert.equal(await page.locator('main section li').count(), all)
    assert.equal(await top(), before)
    check()
    await close()
  }
})

test('Enter chooses a user in the activity’s filter, and a page past the end opens the last one', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const { pagination } = await demo.api.listActivity({ querystring: { limit: 1 } })
  const last = Math.ceil(pagination.total / 500)
  await page.goto(`${demo.url}/activity?page=999`)
  await page.locator('main section li').first().waitFor()
  assert.equal(new URL(page.url()).searchParams.get('page') ?? '1', String(last))
  const user = page.locator('input[aria-label=User]')
  const chosen = () => new URL(page.url()).searchParams.get('user_email')
  await user.fill('zzz')
  await user.press('Enter')
  await page.getByText('Enter a complete email address.').waitFor()
  await user.fill(ada.slice(0, 3))
  await user.press('Enter')
  await eventually(() => assert.ok(chosen()?.includes(ada.slice(0, 3))))
  await user.fill('')
  await user.press('Enter')
  await eventually(() => assert.equal(chosen(), null))
  check()
  await close()
})

test('the activity can be filtered by event', { skip }, async () => {
  const { page, check, close } = await openPage()
  const { data: deals } = await demo.api.listDeals({ querystring: { limit: 1 } })
  const params = { id: deals[0]?.id ?? '' }
  await demo.api.updateDeal({ params, body: { notes: 'Call in May' } })
  await page.goto(`${demo.url}/activity`)
  await page.getByText(/ summary (from “.*” )?to “Call in May”/).waitFor()
  await page.getByRole('combobox', { name: 'Event' }).selectOption('Deals opened')
  await page.waitForURL(/activity_type=dealflow_created/)
  const { pagination } = await demo.api.listActivity({ querystring: { activity_type: 'dealflow_created' } })
  await page.getByText(new RegExp(`^${pagination.total} events?, newest first`)).waitFor()
  await page.getByRole('radiogroup').getByText('Theses', { exact: true }).click()
  await page.waitForURL((address) => !address.search.includes('activity_type'))
  check()
  await close()
})

test('in wide windows too, quick filters start closed, and the browser remembers that they were opened', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${demo.url}/companies`)
  const facets = page.getByRole('complementary', { name: 'Quick filters' })
  const button = page.getByRole('button', { name: 'Quick filters' })
  await button.and(page.locator('[aria-expanded=false]')).waitFor()
  await page.locator('tbody tr').first().waitFor()
  assert.equal(await facets.count(), 0)
  await button.click()
  await facets.getByText('Active', { exact: true }).click()
  await page.reload()
  await button.and(page.locator('[aria-expanded=true]')).waitFor()
  const chip = page.getByText(/^Status is /).first()
  await chip.waitFor()
  await button.and(page.locator('[aria-expanded=true]')).press('Enter')
  await facets.waitFor({ state: 'detached' })
  await button.and(page.locator('[aria-expanded=false]:focus')).waitFor()
  await chip.waitFor()
  await page.reload()
  await button.and(page.locator('[aria-expanded=false]')).waitFor()
  assert.equal(await facets.count(), 0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await button.and(page.locator(':not([aria-expanded])')).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await button.click()
  await facets.getByText('Active', { exact: true }).waitFor()
  check()
  await close()
})

// Last, because it adds many companies.
test('an action that fills a page of the activity can be hidden', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  const link = page.getByRole('link', { name: 'Hide everything this action did' })
  await demo.api.createCompany({ body: { name: 'Before the import' } })
  const names = Array.from({ length: 700 }, (_, n) => `Imported in passing ${n}`)
  await demo.api.importCompanies({ body: ['name', ...names].join('\n') })
  await page.goto(`${demo.url}/activity?page=2`)
  await page.getByText(/Imported in passing \d+ and at least \d+ more companies/).waitFor()
  await page.goto(`${demo.url}/activity`)
  await page.getByText(/and at least 4\d\d more companies/).waitFor()
  await link.click()
  await page.getByText('Before the import').first().waitFor()
  assert.equal(await page.getByText(/Imported in passing/).count(), 0)
  await page.getByText(/^Import, /).waitFor()
  await page.goto(`${page.url()}&entity_type=dealflow`)
  await screenLoaded(page)
  assert.equal(await link.count(), 0)
  await page.goBack()
  await page.getByRole('button', { name: 'Show this action' }).click()
  await page.getByText(/and at least 4\d\d more companies/).waitFor()
  check()
  await close()
})
