/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { chooseFile, importButton } from './import-page.ts'
import { button } from './saved-views.ts'

const demo = withDemo()

const heading = (page: Page, field: string) => page.locator(`th[data-field="${field}"]`)
const headers = (page: Page) =>
  page.locator('th[data-field]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-field')))
const preferencesOf = async (email: string) =>
  (await demo.api.getUser({ params: { email } })).data.preferences

test('the company column has at least 340 px, and a laptop shows all columns', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies`)
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await page.locator('tbody tr').first().waitFor()
    await eventually(async () => {
      const { width: ofName } = (await heading(page, 'name').boundingBox()) ?? { width: 0 }
      assert.ok(ofName >= 340, `${ofName} of ${width}`)
    })
    const hidden = await page
      .getByRole('region', { name: 'List of companies' })
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    assert.equal(hidden, 0, `${width}`)
  }
  check()
  await close()
})

test('arranged columns follow the account to every browser, and views have their own', {
  skip: skip || slow,
}, async () => {
  const { id } = (
    await demo.api.createView({
      body: { entity: 'company', name: 'Cities', columns: [{ field: 'hq_city' }] },
    })
  ).data
  const first = await openPage()
  await first.page.goto(`${demo.url}/companies`)
  await button(first.page, 'Columns').click()
  await first.page.getByRole('checkbox', { name: 'Website' }).click()
  await heading(first.page, 'website').waitFor()
  await eventually(async () =>
    assert.ok(JSON.stringify((await preferencesOf(ada)).companies_columns).includes('website')),
  )
  first.check()
  await first.close()

  const second = await openPage()
  await second.page.goto(`${demo.url}/companies`)
  await heading(second.page, 'website').waitFor()
  await second.page.goto(`${demo.url}/companies?view=${id}`)
  await heading(second.page, 'hq_city').waitFor()
  assert.deepEqual(await headers(second.page), ['name', 'hq_city'])
  await second.page.goto(`${demo.url}/companies?view=all`)
  await button(second.page, 'Columns').click()
  await button(second.page, 'Reset columns').click()
  await heading(second.page, 'website').waitFor({ state: 'detached' })
  await eventually(async () => assert.equal((await preferencesOf(ada)).companies_columns, undefined))
  second.check()
  await second.close()
})

test('columns stored in a browser move to the account, unless it has columns of its own', {
  skip: skip || slow,
}, async () => {
  const user = 'mia@example.com'
  const visit = async (kept: string, isSaved = true) => {
    const { page, check, close } = await openPage({ user })
    await page.goto(`${demo.url}/settings`)
    await page.evaluate((text) => localStorage.setItem('companies_columns_of_all', text), kept)
    if (!isSaved)
      await page.route('**/api/users/*', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status: 503 }) : route.continue(),
      )
    await page.goto(`${demo.url}/companies`)
    await page.locator('tbody tr').first().waitFor()
    await requestsEnded(page)
    const shown = await headers(page)
    const left = await page.evaluate(() => localStorage.getItem('companies_columns_of_all'))
    check()
    await close()
    return { shown, left }
  }
  const city = JSON.stringify([{ field: 'hq_city', width: 200 }])
  const failed = await visit(city, false)
  assert.equal(failed.left, city)
  assert.equal((await preferencesOf(user)).companies_columns, undefined)
  const moved = await visit(city)
  assert.deepEqual(moved.shown, ['name', 'hq_city'])
  assert.deepEqual((await preferencesOf(user)).companies_columns, JSON.parse(city))
  const later = await visit(JSON.stringify([{ field: 'website' }]))
  assert.deepEqual(later, { shown: ['name', 'hq_city'], left: null })
  assert.equal((await visit('rubbish')).left, null)
})

test('a search shows the passage that matched on a line of its own, in both densities', {
  skip,
}, async () => {
  const lead = 'A long beginning of a description that fills the line before anything is found. '
  for (const body of [
    { name: 'Passage One', activity_description: `${lead.repeat(3)}It breeds axolotls in Xanten.` },
    { name: 'Passage Two', website: 'https://axolotls.example', activity_description: lead },
  ])
    await demo.api.createCompany({ body })
  const user = 'pia@example.com'
  const { page, check, close } = await openPage({ user })
  for (const [view_mode, plain, searched] of [
    ['comfortable', 34, 50],
    ['compact', 28, 44],
  ] as const) {
    await demo.api.updateUser({ params: { email: user }, body: { preferences: { view_mode } } })
    await page.goto(`${demo.url}/companies`)
    const rows = page.locator('tbody tr')
    await rows.first().waitFor()
    assert.equal((await rows.first().boundingBox())?.height, plain)
    await page.goto(`${demo.url}/companies?q=axolotls`)
    for (const [name, text] of [
      ['Passage One', /breeds axolotls in Xanten/],
      ['Passage Two', /axolotls\.example/],
    ] as const) {
      const row = rows.filter({ hasText: name })
      await row.getByText(text).waitFor()
      assert.equal((await row.boundingBox())?.height, searched)
      const [title, passage] = [
        await row.getByRole('link').first().boundingBox(),
        await row.locator('mark').boundingBox(),
      ]
      assert.ok(title && passage && passage.y >= title.y + title.height - 2, 'below the name')
      const cell = await row.locator('td[data-fixed=first]').boundingBox()
      assert.ok(cell && passage.x + passage.width < cell.x + cell.width, 'not cut off')
    }
  }
  check()
  await close()
})

test('columns that are empty for all companies are not shown until they are chosen', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ user: 'eve@example.com' })
  await page.route('**/api/fields?*', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const fields = data.map((field: { name: string }) =>
      field.name === 'revenue_eur' || field.name === 'owner_email' ? { ...field, has_values: false } : field,
    )
    await route.fulfill({ response, json: { ...rest, data: fields } })
  })
  await page.goto(`${demo.url}/companies`)
  await page.locator('tbody tr').first().waitFor()
  assert.deepEqual(await headers(page), [
    ...['name', 'llm_score_overall', 'status', 'country_code', 'industry_category'],
  ])
  assert.equal(await button(page, 'Save as view…').count(), 0)
  await button(page, 'Columns').click()
  await page.getByRole('checkbox', { name: 'Revenue' }).click()
  await heading(page, 'revenue_eur').waitFor()
  check()
  await close()
})

test('after an import, the list shows the imported fields beside the arranged columns', {
  skip: skip || slow,
}, async () => {
  const user = 'ivy@example.com'
  const { page, check, close } = await openPage({ user })
  const columns = async (name: string, file: string) => {
    await chooseFile(page, demo.url, name, file)
    await importButton(page).click()
    await page.getByRole('link', { name: 'View companies' }).click()
    await page.locator('tbody tr').first().waitFor()
    await requestsEnded(page)
    return await headers(page)
  }
  const defaults = ['name', 'llm_score_overall', 'status', 'country_code', 'industry_category']
  const first = 'Company,HQ city,Employees,Country\nIvy One,Ulm,12,Germany\n'
  assert.deepEqual(await columns('first.csv', first), [
    ...defaults,
    // No company of the demo has an owner.
    ...['revenue_eur', 'hq_city', 'employee_count'],
  ])
  await page.goto(`${demo.url}/companies`)
  await button(page, 'Options for Revenue').click()
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await heading(page, 'revenue_eur').waitFor({ state: 'detached' })
  const second = 'Company,Website,HQ city\nIvy Two,https://ivy-two.example,Ulm\n'
  assert.deepEqual(await columns('second.csv', second), [
    ...defaults,
    ...['hq_city', 'employee_count', 'website'],
  ])
  check()
  await close()
})
