/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

// Headers of columns are in columns.test.ts, and cards of the board in board.test.ts and working-day.test.ts.

const demo = withDemo()

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

test('tabs of views change their order without dragging', { skip }, async () => {
  const ids: string[] = []
  for (const name of ['First view', 'Second view', 'Third view'])
    ids.push((await demo.api.createView({ body: { entity: 'company', name } })).data.id)
  const [first, second, third] = ids
  const stored = async () =>
    (await demo.api.listViews({ querystring: { entity: 'company' } })).data
      .map(({ id }) => id)
      .filter((id) => ids.includes(id))
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?view=${third}`)
  for (const [item, order] of [
    ['Move left', [first, third, second]],
    ['Move right', [first, second, third]],
  ] as const) {
    await press(page, 'Options for the view Third view')
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.getByRole('menuitem', { name: item }).press('Enter')
    await eventually(async () => assert.deepEqual(await stored(), order))
  }
  check()
  await close()
})

test('columns change their order in the list of columns without dragging', { skip }, async () => {
  const columns = [{ field: 'status' }, { field: 'hq_city' }, { field: 'founded_year' }]
  const { id } = (await demo.api.createView({ body: { entity: 'company', name: 'Columns', columns } })).data
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?view=${id}`)
  await page.locator('th[data-field=founded_year]').waitFor()
  await press(page, 'Columns')
  await press(page, 'Move Founded up')
  await press(page, 'Move Status down')
  await eventually(async () =>
    assert.deepEqual(
      await page
        .locator('th[data-field]')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-field'))),
      ['name', 'founded_year', 'status', 'hq_city'],
    ),
  )
  check()
  await close()
})
