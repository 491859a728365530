/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { hasFocus, openPage, skip } from './browser.ts'
import { type Demo, withDemo } from './demo.ts'

const demo = withDemo()

type Body = Parameters<Demo['api']['createCompany']>[0]['body']
const create = async (body: Body) => {
  const { id } = (await demo.api.createCompany({ body })).data
  return { id, url: `${demo.url}/companies/${id}`, change: changeOf(id), read: readOf(id) }
}
const changeOf = (id: string) => (body: Partial<Body>) => demo.api.updateCompany({ params: { id }, body })
const readOf = (id: string) => async () => (await demo.api.getCompany({ params: { id } })).data.company

/** A field does not open while it is being saved. */
const edit = (page: Page, label: string) =>
  page
    .getByRole('button', { name: `Edit ${label}: ` })
    .and(page.locator('[aria-busy=false]'))
    .click()
const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const shown = (page: Page, label: string, value: string) =>
  page.getByRole('button', { name: `Edit ${label}: ${value}`, exact: true }).waitFor()

/** Waits until the service returns the expected value. */
const untilSaved = <T>(read: () => Promise<T>, expected: T): Promise<void> =>
  eventually(async () => assert.deepEqual(await read(), expected))

const isChange = (route: Route) => route.request().method() === 'PATCH' || route.request().method() === 'PUT'

test('a draft from before a reload does not overwrite what someone else saved', {
  skip: skip || slow,
}, async () => {
  const company = await create({ name: 'Loaded Again', hq_city: 'Oslo' })
  const { page, close } = await openPage()
  await page.goto(company.url)
  await edit(page, 'HQ city')
  await box(page, 'HQ city').fill('Bergen')
  await company.change({ hq_city: 'Trondheim' })
  await page.reload()
  await box(page, 'HQ city').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Keep mine' }).waitFor()
  assert.equal((await company.read()).hq_city, 'Trondheim')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await untilSaved(async () => (await company.read()).hq_city, 'Bergen')
  await close()
})

test('an edit stays with its executive when another one is removed', { skip: skip || slow }, async () => {
  const [anna, bert, cleo] = ['Anna', 'Bert', 'Cleo'].map((name) => ({ name, title: 'Director' }))
  const company = await create({ name: 'Three Directors', executives: [anna, bert, cleo] })
  const { page, check, close } = await openPage()
  await page.goto(`${company.url}#details`)
  await edit(page, 'Title of executive 2')
  await box(page, 'Title of executive 2').fill('Chair')
  await company.change({ executives: [bert, cleo] })
  await page.keyboard.press('Enter')
  await untilSaved(async () => (await company.read()).executives, [{ ...bert, title: 'Chair' }, cleo])

  await shown(page, 'Title of executive 2', 'Director')
  await edit(page, 'Title of executive 2')
  await box(page, 'Title of executive 2').fill('Founder')
  await company.change({ executives: [cleo, anna] })
  await page.reload()
  await box(page, 'Title of executive 1').focus()
  await page.keyboard.press('Enter')
  await untilSaved(async () => (await company.read()).executives, [{ ...cleo, title: 'Founder' }, anna])
  check()
  await close()
})

test('numbers are typed in the format of the browser’s language', { skip }, async () => {
  const company = await create({ name: 'Zahlen', revenue_eur: 1234.5 })
  const { page, check, close } = await openPage({ locale: 'de-DE' })
  await page.goto(company.url)
  await edit(page, 'Revenue')
  const revenue = box(page, 'Revenue')
  assert.equal(await revenue.inputValue(), '1.234,5')
  await revenue.press('ControlOrMeta+a')
  await revenue.pressSequentially('1.200.000')
  assert.equal(await revenue.inputValue(), '1.200.000')
  await page.keyboard.press('Enter')
  await untilSaved(async () => (await company.read()).revenue_eur, 1_200_000)
  await edit(page, 'Revenue')
  await revenue.press('ControlOrMeta+a')
  await revenue.pressSequentially('2.500,75')
  await page.keyboard.press('Enter')
  await untilSaved(async () => (await company.read()).revenue_eur, 2500.75)
  await edit(page, 'Revenue')
  await revenue.press('ControlOrMeta+a')
  await revenue.pressSequentially('12 apples')
  await page.keyboard.press('Enter')
  await page.getByText(/^Enter a number from/).waitFor()
  assert.equal((await company.read()).revenue_eur, 2500.75)
  check()
  await close()
})

test('a user who left the page learns that a change was rejected', { skip: skip || slow }, async () => {
  const company = await create({ name: 'Left Behind', hq_city: 'Oslo' })
  const { page, close } = await openPage()
  await page.goto(company.url)
  await page.route(`**/api/companies/${company.id}`, async (route) => {
    if (!isChange(route)) return route.continue()
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
    await route.fulfill({
      status: 403,
      contentType: 'application/json',
      body: JSON.stringify({ error: 'forbidden', details: 'You may not change it.' }),
    })
  })
  await edit(page, 'HQ city')
  await box(page, 'HQ city').fill('Bergen')
  await page.getByRole('link', { name: 'All companies', exact: true }).click()
  await page.getByRole('alert').getByText('You may not change it.').waitFor()
  await close()
})

test('of two quick changes, the second stays on screen and does not overwrite someone else’s', {
  skip: skip || slow,
}, async () => {
  const company = await create({ name: 'Quick', hq_city: 'Oslo', founded_year: 1999 })
  const { page, check, close } = await openPage()
  await page.goto(company.url)
  const held: (() => void)[] = []
  const isHeld = () => eventually(() => assert.notEqual(held.length, 0))
  let isHolding = true
  await page.route(`**/api/companies/${company.id}`, async (route) => {
    if (isChange(route) && isHolding) await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  const change = async (label: string, value: string) => {
    await edit(page, label)
    await box(page, label).fill(value)
    await page.keyboard.press('Enter')
    await shown(page, label, value)
  }
  const releaseOne = async () => {
    await isHeld()
    held.shift()?.()
  }
  await change('HQ city', 'Bergen')
  await change('Founded', '2001')
  await releaseOne()
  // The second request is sent after the page has processed the answer to the first.
  await isHeld()
  await shown(page, 'Founded', '2001')
  await releaseOne()
  await untilSaved(async () => (await company.read()).founded_year, 2001)

  await change('HQ city', 'Narvik')
  await change('Founded', '2002')
  await isHeld()
  await company.change({ founded_year: 1950 })
  isHolding = false
  await releaseOne()
  await page.getByRole('button', { name: 'Use theirs' }).waitFor()
  const { hq_city, founded_year } = await company.read()
  assert.deepEqual([hq_city, founded_year], ['Narvik', 1950])
  check()
  await close()
})

test('figures are added, changed, and removed by year; other data is kept as it is', {
  skip,
}, async () => {
  const others = { currency: 'EUR', '2020': 'see the report' }
  const known = { revenue_eur: 100, ebitda_eur: 'none', backlog: { days: 3 } }
  const company = await create({ name: 'Figures', financials: { ...others, '2024': known } })
  const { page, check, close } = await openPage()
  const kept = async () => (await company.read()).financials
  await page.goto(`${company.url}#details`)
  await page.getByRole('button', { name: 'Add year' }).click()
  await hasFocus(box(page, 'Year'))
  await page.keyboard.press('Enter')
  await edit(page, 'EBITDA 2025')
  await box(page, 'EBITDA 2025').fill('-12.5')
  await page.keyboard.press('Enter')
  const added = { revenue_eur: null, ebitda_eur: -12.5 }
  await untilSaved(kept, { '2020': others['2020'], '2024': known, '2025': added, currency: 'EUR' })

  await edit(page, 'Revenue 2024')
  await box(page, 'Revenue 2024').fill('200')
  await company.change({ financials: { ...others, '2024': { ...known, backlog: 4 }, '2025': added } })
  await page.keyboard.press('Enter')
  const changed = { ...known, revenue_eur: 200, backlog: 4 }
  await untilSaved(kept, { '2020': others['2020'], '2024': changed, '2025': added, currency: 'EUR' })
  // The year is removed once the page shows it.
  await page
    .getByRole('button', { name: 'Edit Revenue 2024: ' })
    .and(page.locator('[aria-busy=false]'))
    .waitFor()

  // The response to the change before may still arrive.
  const removal = page.waitForResponse(
    (response) => response.ok() && response.request().postData()?.includes('2024') === false,
  )
  await page.getByRole('button', { name: 'Remove 2024' }).click()
  const actionId = (await removal).headers()['x-action-id']
  await untilSaved(kept, { '2020': others['2020'], '2025': added, currency: 'EUR' })
  // The notice of the change before may still be fading out.
  await page
    .getByRole('alert')
    .filter({ has: page.locator(`a[href="/activity/actions/${actionId}"]`) })
    .getByRole('button', { name: 'Undo' })
    .click()
  await untilSaved(kept, { '2020': others['2020'], '2024': changed, '2025': added, currency: 'EUR' })
  check()
  await close()
})

test('a deal is created on the company page with a new stage', { skip }, async () => {
  const company = await create({ name: 'A Deal of Its Own' })
  const { page, check, close } = await openPage()
  await page.goto(company.url)
  const region = page.getByRole('region', { name: 'Deal', exact: true })
  await region.getByRole('button', { name: 'New deal' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Summary' }).fill('Met at the fair')
  await dialog.getByRole('combobox', { name: 'Stage' }).fill('First Look')
  await page.getByRole('option', { name: 'Create stage' }).click()
  await dialog.getByRole('button', { name: 'Create deal' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await region.getByText('First look', { exact: true }).waitFor()
  const { data } = await demo.api.getCompany({ params: { id: company.id } })
  assert.deepEqual([data.dealflow?.stage, data.dealflow?.notes], ['first_look', 'Met at the fair'])
  check()
  await close()
})

test('the chart draws losses below zero, and many years fit into a narrow window', {
  skip: skip || slow,
}, async () => {
  const years = Array.from({ length: 15 }, (_, n) => [
    `${2010 + n}`,
    { revenue_eur: n * 1e6, ebitda_eur: 1e6 - n * 5e5 },
  ])
  const company = await create({ name: 'Fifteen Years', financials: Object.fromEntries(years) })
  const { page, check, close } = await openPage({ viewport: { width: 320, height: 900 } })
  await page.goto(`${company.url}#details`)
  const chart = page.getByRole('img', { name: 'Revenue, EBITDA' })
  const boxOf = async (title: string) => {
    const box = await chart.getByTitle(title, { exact: true }).boundingBox()
    assert.ok(box)
    return { top: Math.round(box.y), bottom: Math.round(box.y + box.height), height: box.height }
  }
  await chart.getByText('2024').waitFor()
  const [profit, none, loss, revenue] = await Promise.all(
    [
      'EBITDA 2010: €1,000,000',
      'EBITDA 2012: €0',
      'EBITDA 2024: -€6,000,000',
      'Revenue 2024: €14,000,000',
    ].map(boxOf),
  )
  const zero = revenue?.bottom ?? 0
  assert.equal(profit?.bottom, zero)
  assert.equal(none?.height, 0)
  assert.equal(loss?.top, zero)
  assert.equal(Math.round(((loss?.height ?? 0) / (revenue?.height ?? 1)) * 14), 6)
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  await close()
  check()
})
