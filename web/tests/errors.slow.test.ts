/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemoProcess } from './demo.ts'
import { addProperty } from './properties.ts'

const demo = withDemoProcess()

/** An error response. */
const errorResponse =
  (status: number, details: string, headers = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ error: 'x', details }),
    })

test('names with 500 characters, HTML, Arabic, and Chinese are shown as they are', {
  skip,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 360, height: 800 } })
  const names = [
    'X'.repeat(500),
    '<img src=x onerror="document.title=1"><b>bold</b>',
    'شركة الروبوتات للمستودعات',
    '仓库机器人有限公司',
  ]
  for (const name of names) {
    const { data } = await demo.api.createCompany({ body: { name, activity_description: name } })
    await demo.api.createDeal({ body: { company_id: data.id, stage: 'nobody_listed_this' } })
    await page.goto(`${demo.url}/companies/${data.id}`)
    await screenLoaded(page)
    assert.equal(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      0,
      name.slice(0, 20),
    )
    assert.notEqual(await page.title(), '1')
  }
  await page.goto(`${demo.url}/companies`)
  await page.getByText('<img src=x onerror').first().waitFor()
  await page.goto(`${demo.url}/pipeline`)
  await page.getByText('Nobody listed this').first().waitFor()
  check()
  await close()
})

test('two people who edit the same company see each other’s changes', { skip }, async () => {
  const { data: company } = await demo.api.createCompany({ body: { name: 'Twice Edited', hq_city: 'Oslo' } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${company.id}`)
  await page.getByRole('button', { name: /^Edit HQ city/ }).click()
  const city = page.getByRole('textbox', { name: 'HQ city', exact: true })
  await city.fill('Bergen')
  await demo.api.updateCompany({ params: { id: company.id }, body: { hq_city: 'Trondheim' } })
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Keep mine/i }).waitFor()
  await page.getByText('Trondheim').first().waitFor()
  await page.getByRole('button', { name: /Keep mine/i }).click()
  await eventually(async () => assert.equal((await read(company.id)).hq_city, 'Bergen'))

  // The field does not open while it is being saved.
  await page
    .getByRole('button', { name: /^Edit HQ city/ })
    .and(page.locator('[aria-busy=false]'))
    .click()
  await page.getByRole('textbox', { name: 'HQ city', exact: true }).fill('Narvik')
  await demo.api.updateCompany({ params: { id: company.id }, body: { founded_year: 1999 } })
  await page.keyboard.press('Enter')
  await eventually(async () => {
    const { hq_city, founded_year } = await read(company.id)
    assert.deepEqual([hq_city, founded_year], ['Narvik', 1999])
  })
  check()
  await close()
})

const read = async (id: string) => (await demo.api.getCompany({ params: { id } })).data.company

test('the page reports a killed service, keeps the text, and reconnects', {
  skip,
}, async () => {
  const { data: company } = await demo.api.createCompany({ body: { name: 'Lost Connection' } })
  const { page, close } = await openPage()
  await page.goto(`${demo.url}/companies/${company.id}`)
  await addProperty(page, 'HQ city')
  const city = page.getByRole('textbox', { name: 'HQ city', exact: true })
  await city.fill('Bodø')
  await demo.kill()
  await city.press('Enter')
  await page.getByText('Cannot reach the service. Retrying…').waitFor()
  assert.equal(await city.inputValue(), 'Bodø')
  await demo.start()
  await page.getByText('Cannot reach the service. Retrying…').waitFor({ state: 'hidden' })
  await page.getByText('The service is back. Save again.').waitFor()
  await city.focus()
  await page.keyboard.press('Enter')
  await city.waitFor({ state: 'hidden' })
  await eventually(async () => assert.equal((await read(company.id)).hq_city, 'Bodø'))
  await close()
})

test('a screen that is opened while the service is down appears when it is back', { skip }, async () => {
  const { page, close } = await openPage()
  const events = page.waitForResponse(/\/api\/events$/)
  await page.goto(`${demo.url}/home`)
  await events
  await page.locator('main h1').waitFor()
  await demo.kill()
  await page.getByRole('link', { name: 'Theses' }).first().click()
  await page.getByText('This screen is not loaded yet').waitFor()
  assert.ok(await page.getByRole('link', { name: 'Companies' }).first().isVisible())
  await demo.start()
  await page.getByRole('heading', { name: 'Theses', level: 1 }).waitFor()
  assert.match(page.url(), /\/theses$/)
  await close()
})

test('a part that an update has replaced asks for a reload, and the screen works', { skip }, async () => {
  const { page, close } = await openPage()
  const { data } = await demo.api.listCompanies({ querystring: { limit: 1 } })
  await page.route('**/imported-row-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(`${demo.url}/companies/${data[0]?.id}`)
  await page.getByRole('tab', { name: 'Imported row' }).click()
  await page.getByText('The service is unreachable or was updated. Reload the page.').waitFor()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByRole('button', { name: /^Edit HQ city/ }).waitFor()
  await close()
})

test('a dialog that cannot be loaded leaves the screen as it is, and asks for a reload', {
  skip,
}, async () => {
  const { page, close } = await openPage()
  await page.route('**/new-company-dialog-*.js', (route) => route.abort())
  await page.goto(`${demo.url}/companies`)
  const notice = page.getByText('The service is unreachable or was updated. Reload the page.')
  for (const count of [1, 2]) {
    await page.getByRole('button', { name: 'New company' }).click()
    await notice.nth(count - 1).waitFor()
    assert.equal(await notice.count(), count)
  }
  await page.locator('tbody tr').first().getByRole('link').first().click()
  await page.getByRole('tab', { name: 'Timeline' }).waitFor()
  await close()
})

test('after too many requests, the page says how long it waits, and then continues', { skip }, async () => {
  const { page, close } = await openPage()
  let refused = 0
  await page.route('**/api/theses*', async (route) => {
    if (refused++ === 0) await errorResponse(429, 'The limit is 100.', { 'retry-after': '2' })(route)
    else await route.continue()
  })
  // The notice stays for two seconds, which may begin before the page has loaded entirely.
  await Promise.all([page.getByText(/Too many requests/).waitFor(), page.goto(`${demo.url}/theses`)])
  const thesis = (await demo.api.listTheses()).data[0]
  await page
    .getByText(thesis?.title ?? '')
    .first()
    .waitFor()
  await page.getByText(/Too many requests/).waitFor({ state: 'hidden' })
  await close()
})

test('a failed panel shows the reason and offers to try again', { skip }, async () => {
  const { page, close } = await openPage()
  await page.route('**/api/activity*', errorResponse(503, 'The database cannot be reached.'))
  await page.goto(`${demo.url}/activity`)
  await page.getByRole('alert').getByText('The database cannot be reached.').waitFor()
  await page.unroute('**/api/activity*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').waitFor({ state: 'hidden' })
  await close()
})

test('a screen that cannot be rendered is a page with a heading, and offers to try again', {
  skip,
}, async () => {
  const { data } = await demo.api.createCompany({ body: { name: 'Incomplete' } })
  const { page, close } = await openPage()
  const address = `**/api/companies/${data.id}`
  await page.route(address, (route) => route.fulfill({ json: { data: { company: { id: data.id } } } }))
  await page.goto(`${demo.url}/companies/${data.id}`)
  const heading = page.getByRole('main').getByRole('heading', { name: 'Could not load this', level: 1 })
  await heading.waitFor()
  await screenLoaded(page)
  await assertAccessible(page, 'screen that cannot be rendered', [], true)
  await page.unroute(address)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Incomplete', level: 1 }).waitFor()
  await page.route('**/api/auth/me', errorResponse(500, 'Unknown.'))
  await page.reload()
  await page.getByRole('heading', { name: 'Could not load this', level: 1 }).waitFor()
  await page.unroute('**/api/auth/me')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Incomplete', level: 1 }).waitFor()
  await close()
})

test('a user without permission sees why', { skip }, async () => {
  const { page, close } = await openPage()
  await page.route('**/api/users/*', errorResponse(403, 'You may change your own preferences only.'))
  await page.goto(`${demo.url}/settings`)
  await page.getByText('Compact', { exact: true }).click()
  await page.getByText('You may change your own preferences only.').first().waitFor()
  await page.getByRole('radio', { name: 'Comfortable', checked: true }).waitFor({ state: 'attached' })
  await close()
})

test('pages of unknown records say that the record was not found', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/cmp_nothing`)
  await page.getByText('Company not found').waitFor()
  assert.match(await page.title(), /^Company not found · /)
  await page.goto(`${demo.url}/theses/th_nothing`)
  await page.getByRole('heading', { name: 'Thesis not found' }).waitFor()
  await page.goto(`${demo.url}/bulk-actions/ba_nothing`)
  await page.getByRole('heading', { name: 'Bulk action not found' }).waitFor()
  check()
  await close()
})

test('a company whose profile cannot be read is shown, with the reason in place of the profile', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const { data } = await demo.api.createCompany({ body: { name: 'Unreadable', hq_city: 'Oslo' } })
  const reason = 'The profile in object storage is not valid JSON.'
  await page.route(`**/api/companies/${data.id}`, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    Object.assign(json.data.company, { enriched_data: null, enriched_data_error: reason })
    await route.fulfill({ response, json })
  })
  await page.goto(`${demo.url}/companies/${data.id}#profile`)
  const profile = page.getByRole('tabpanel')
  const alert = profile.getByRole('alert')
  await alert.getByText(reason).waitFor()
  await alert.getByText('The profile cannot be shown').waitFor()
  assert.equal(await profile.getByText('There is no profile yet.').count(), 0)
  // A new profile can be written, and nothing else is offered.
  await profile.getByRole('button').waitFor()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByText('Oslo').first().waitFor()
  // The stream of changes repeats the creation, which refetches the company.
  await requestsEnded(page)
  check()
  await close()
})
