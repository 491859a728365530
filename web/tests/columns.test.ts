/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { hasFocus, openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { button, isSaved } from './saved-views.ts'

const demo = withDemo()

/** The fields of the columns, in their order. */
const headers = (page: Page) =>
  page.locator('th[data-field]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-field')))

test('columns are found, moved, pinned, resized, and hidden with the keyboard', { skip }, async () => {
  const columns = [{ field: 'status' }, { field: 'hq_city' }]
  const { id } = (await demo.api.createView({ body: { entity: 'company', name: 'Keys', columns } })).data
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?view=${id}`)
  await page.locator('th[data-field=hq_city]').waitFor()
  await button(page, 'Columns').press('Enter')
  const find = page.getByRole('textbox', { name: 'Find a field…' })
  await find.fill('found')
  await page.getByRole('checkbox', { name: 'Founded' }).press('Space')
  await page.locator('th[data-field=founded_year]').waitFor()
  // The focus follows a column to the list of the shown or the hidden ones.
  const founded = page.getByRole('checkbox', { name: 'Founded' })
  await hasFocus(founded.and(page.locator(':checked')))
  await page.keyboard.press('Space')
  await page.locator('th[data-field=founded_year]').waitFor({ state: 'detached' })
  await hasFocus(founded.and(page.locator(':not(:checked)')))
  await page.keyboard.press('Space')
  await page.locator('th[data-field=founded_year]').waitFor()
  await hasFocus(founded)
  await page.keyboard.press('Escape')
  await find.waitFor({ state: 'detached' })
  assert.deepEqual(await headers(page), ['name', 'status', 'hq_city', 'founded_year'])

  const choose = async (column: string, item: string) => {
    await button(page, `Options for ${column}`).press('Enter')
    // The menu takes the focus on its own.
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.getByRole('menuitem', { name: item }).press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
  }
  await choose('Founded', 'Move left')
  await page.getByText('Founded is now column 2 of 3.').waitFor({ state: 'attached' })
  assert.deepEqual(await headers(page), ['name', 'status', 'founded_year', 'hq_city'])
  await choose('HQ city', 'Pin')
  await page.locator('th[data-field=hq_city][data-fixed=column]').waitFor()
  assert.deepEqual(await headers(page), ['name', 'hq_city', 'status', 'founded_year'])
  await choose('HQ city', 'Wider')
  await choose('Status', 'Hide')
  await page.locator('th[data-field=status]').waitFor({ state: 'detached' })
  await button(page, 'Save').press('Enter')
  await isSaved(page)
  assert.deepEqual((await demo.api.getView({ params: { id } })).data.columns, [
    { field: 'hq_city', width: 140, pinned: true },
    { field: 'founded_year' },
  ])

  // The same with a mouse.
  await page.locator('th[data-field=founded_year]').dragTo(page.locator('th[data-field=hq_city]'), {
    targetPosition: { x: 10, y: 10 },
  })
  await eventually(async () => assert.deepEqual(await headers(page), ['name', 'founded_year', 'hq_city']))
  check()
  await close()
})

test('columns have the same labels as in filters', { skip: skip || slow }, async () => {
  // The days in a stage follow from when it was entered.
  const others: Record<string, string> = { stage_entered_at: 'In stage' }
  const { page, check, close } = await openPage()
  for (const [entity, path] of [
    ['company', '/companies'],
    ['deal', '/pipeline?layout=list'],
  ] as const) {
    const { data: fields } = await demo.api.listFields({ querystring: { entity } })
    await page.goto(`${demo.url}${path}`)
    await button(page, 'Columns').click()
    await page.getByRole('checkbox', { name: 'Created' }).waitFor()
    const labels = await page
      .getByRole('dialog')
      .locator('li input[type=checkbox]')
      .evaluateAll((boxes) =>
        boxes.map((box) => {
          const { name, labels } = box as HTMLInputElement
          return [name, labels?.[0]?.textContent]
        }),
      )
    assert.ok(labels.length > 15)
    for (const [name, label] of labels)
      assert.equal(label, others[name ?? ''] ?? fields.find((field) => field.name === name)?.label)
  }
  check()
  await close()
})

test('the list of deals shows custom fields, sorts by several, and keeps its columns in a view', {
  skip: skip || slow,
}, async () => {
  const options = [{ label: 'Network' }, { label: 'Event' }]
  const { data: field } = await demo.api.createField({
    body: { entity: 'deal', label: 'Channel', key: 'channel', type: 'select', options },
  })
  const name = 'custom.channel'
  const { data: deals } = await demo.api.listDeals({ querystring: { limit: 2, sort: 'company_name' } })
  for (const [at, { id }] of deals.entries())
    await demo.api.updateDeal({ params: { id }, body: { custom: { channel: field.options[at]?.id } } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/pipeline?layout=list`)
  await button(page, 'Columns').click()
  await page.getByRole('checkbox', { name: 'Channel' }).click()
  await page.getByRole('checkbox', { name: 'Round' }).click()
  await page.getByRole('checkbox', { name: 'Probability' }).click()
  await page.keyboard.press('Escape')
  await page.locator(`th[data-field="${name}"]`).waitFor()
  const shown = [
    ...['company_name', 'stage', 'owner_email', 'amount_eur', 'company_llm_score_overall'],
    ...['stage_entered_at', 'expected_close_on', 'status', name, 'round'],
  ]
  assert.deepEqual(await headers(page), shown)
  const heading = (of: string) => page.locator(`th[data-field="${of}"]`).getByRole('button').first()
  await heading(name).click()
  await page.waitForURL((url) => url.searchParams.get('sort') === name)
  await heading(name).click()
  await page.waitForURL((url) => url.searchParams.get('sort') === `-${name}`)
  await heading('company_name').click({ modifiers: ['Shift'] })
  await page.waitForURL((url) => url.searchParams.get('sort') === `-${name},company_name`)
  const firstRows = page.locator('tbody tr')
  // In the order of the options, backward.
  for (const [at, { company_name }] of deals.entries())
    await firstRows
      .nth(1 - at)
      .getByText(options[at]?.label ?? '', { exact: true })
      .and(page.locator(`tr:has-text("${company_name}") *`))
      .waitFor()

  await button(page, 'Save as view…').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('By channel')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await isSaved(page)
  const id = new URL(page.url()).searchParams.get('view') as string
  const saved = (await demo.api.getView({ params: { id } })).data
  assert.deepEqual(
    saved.columns.map((column) => column.field),
    shown.slice(1),
  )
  // Outside of views, the account keeps the columns too.
  await page.goto(`${demo.url}/pipeline?view=all&layout=list`)
  await page.locator('th[data-field=round]').waitFor()
  await button(page, 'Columns').click()
  await button(page, 'Reset columns').click()
  await page.locator('th[data-field=round]').waitFor({ state: 'detached' })
  await page.goto(`${demo.url}/pipeline?view=${id}`)
  await page.locator('th[data-field=round]').waitFor()
  await isSaved(page)
  await page.keyboard.press('Escape')

  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  const { total } = (await demo.api.listDeals({ querystring: { limit: 1 } })).pagination
  await page.getByText(`${total} selected`).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByText(`${total} selected`).waitFor({ state: 'detached' })

  // The focus stays in the table when its last column is hidden.
  await button(page, 'Options for Round').press('Enter')
  await page.locator('[role=menu]:focus-within').waitFor()
  await page.getByRole('menuitem', { name: 'Hide' }).press('Enter')
  await page.locator('th[data-field=round]').waitFor({ state: 'detached' })
  await hasFocus(
    page.locator('th').last().locator('xpath=preceding-sibling::th[1]').getByRole('button').first(),
  )

  // Opening a deal does not depend on the columns.
  await firstRows
    .first()
    .getByRole('button', { name: /^Open deal with / })
    .click()
  await page.getByRole('dialog', { name: /^Deal with / }).waitFor()
  check()
  await close()
})

test('a fourth sort field is rejected with a reason', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name,status,country_code`)
  const industry = page.locator('th[data-field=industry_category]')
  await industry
    .getByRole('button')
    .first()
    .click({ modifiers: ['Shift'] })
  await page.getByText('The list sorts by up to 3 fields.').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('sort'), 'name,status,country_code')
  await industry.getByRole('button').first().click()
  await page.waitForURL((url) => url.searchParams.get('sort') === 'industry_category')
  check()
  await close()
})
