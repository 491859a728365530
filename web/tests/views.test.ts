/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { openPage, skip, transitionsEnded } from './browser.ts'
import { type Demo, withDemo } from './demo.ts'
import { button, isSaved, tab } from './saved-views.ts'

const BEN = 'ben@example.com'
const GERMAN = { field: 'country_code', op: 'in', value: ['DE'] } as const

const demo = withDemo()

const view = async (name: string, more: Partial<Parameters<Demo['api']['createView']>[0]['body']> = {}) =>
  (await demo.api.createView({ body: { entity: 'company', name, ...more } })).data
const read = async (id: string) => (await demo.api.getView({ params: { id } })).data

test('18 rows fit a laptop, and the list scrolls sideways on its own', { skip }, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${demo.url}/companies`)
  await page.locator('tbody tr').nth(49).waitFor()
  await screenLoaded(page)
  const seen = await page.evaluate(() => {
    const region = document.querySelector('[role=region]') as HTMLElement
    const { bottom } = region.getBoundingClientRect()
    const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect())
    return {
      rows: rows.filter((row) => row.bottom <= Math.min(bottom, innerHeight)).length,
      height: rows[0]?.height,
      isCut: region.scrollWidth > region.clientWidth,
    }
  })
  assert.ok(seen.rows >= 18, `${seen.rows} rows`)
  assert.ok(seen.height && seen.height >= 34 && seen.height <= 36, `${seen.height} pixels`)
  assert.equal(seen.isCut, false)
  check()
  await close()
})

test('no thesis, industry, country, or status is cut off', { skip: skip || slow }, async () => {
  for (const width of [1280, 1920]) {
    const { page, check, close } = await openPage({ viewport: { width, height: 800 } })
    const fields = ['thesis_id', 'industry_category', 'country_code', 'status']
    const columns = JSON.stringify(fields.map((field) => ({ field })))
    await page.goto(`${demo.url}/companies?columns=${columns}`)
    await page.locator('tbody tr').nth(49).waitFor()
    await screenLoaded(page)
    const cut = await page.evaluate(() =>
      ['thesis_id', 'industry_category', 'country_code', 'status'].flatMap((field) => {
        const { cellIndex } = document.querySelector(`th[data-field=${field}]`) as HTMLTableCellElement
        return [...document.querySelectorAll<HTMLElement>(`tbody td:nth-child(${cellIndex + 1})`)]
          .filter((cell) => cell.scrollWidth > cell.clientWidth)
          .map((cell) => cell.innerText)
      }),
    )
    assert.deepEqual(cut, [], `${width} pixels`)
    check()
    await close()
  }
})

test('columns grow with the window, except those whose width the user has chosen', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1920, height: 800 } })
  const columns = JSON.stringify([{ field: 'thesis_id', width: 130 }, { field: 'industry_category' }])
  await page.goto(`${demo.url}/companies?columns=${columns}`)
  await page.locator('tbody tr').nth(49).waitFor()
  const widthOf = async (field: string) =>
    (await page.locator(`th[data-field=${field}]`).boundingBox())?.width ?? 0
  assert.equal(await widthOf('thesis_id'), 130)
  const before = await widthOf('industry_category')
  // The first step begins at the width on screen.
  await page.locator('th[data-field=industry_category]').hover()
  await button(page, 'Options for Industry').click()
  await page.getByRole('menuitem', { name: 'Wider' }).click()
  await eventually(async () => assert.equal(await widthOf('industry_category'), before + 20))
  await page.setViewportSize({ width: 1280, height: 800 })
  await eventually(async () => assert.ok(((await widthOf('name')) as number) < 900))
  assert.equal(await widthOf('industry_category'), before + 20)
  check()
  await close()
})

test('a list is saved as a view, changed, reset, and shared by its address', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?filter=${JSON.stringify(GERMAN)}&sort=-llm_score_overall`)
  await button(page, 'Save as view…').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('German')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await tab(page, 'German').and(page.locator('[aria-current=page]')).waitFor()
  await isSaved(page)
  const id = new URL(page.url()).searchParams.get('view') as string
  const saved = await read(id)
  assert.deepEqual([saved.filter, saved.sort[0]?.field], [GERMAN, 'llm_score_overall'])

  // A second field with Shift, and the filter removed.
  await page
    .getByRole('columnheader', { name: 'Company' })
    .getByRole('button')
    .first()
    .click({ modifiers: ['Shift'] })
  await page.waitForURL((url) => url.searchParams.get('sort') === '-llm_score_overall,name')
  await button(page, 'Clear filters').click()
  await page.waitForURL((url) => !url.searchParams.has('filter'))
  await page.getByRole('img', { name: 'Unsaved changes' }).waitFor()
  const address = page.url()
  const shared = await openPage()
  await shared.page.goto(address)
  await shared.page.getByRole('img', { name: 'Unsaved changes' }).waitFor()
  assert.equal(await shared.page.locator('th[aria-sort=ascending]').getAttribute('data-field'), 'name')
  await shared.close()

  await button(page, 'Reset').click()
  await isSaved(page)
  await page.waitForURL((url) => url.searchParams.has('filter'))
  await page.goto(`${demo.url}/companies?view=${id}`)
  await page.waitForURL(/filter=/)
  await isSaved(page)

  await demo.api.setDefaultView({ body: { entity: 'company', view_id: id } })
  await page.goto(`${demo.url}/companies`)
  await page.waitForURL((url) => url.searchParams.get('view') === id)
  await tab(page, 'All companies').click()
  await page.waitForURL(/view=all$/)
  // Clearing the search leaves the list of all records, not the default view.
  await page.goto(`${demo.url}/companies?q=an`)
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('')
  await page.waitForURL(/companies\?view=all$/)
  await demo.api.setDefaultView({ body: { entity: 'company', view_id: null } })
  check()
  await close()
})

test('a view keeps where empty values go, and the menu of a column changes it', {
  skip: skip || slow,
}, async () => {
  const { id } = await view('Unscored first', {
    sort: [{ field: 'llm_score_overall', direction: 'desc', nulls: 'first' }, { field: 'name' }],
  })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?view=${id}`)
  await page.waitForURL((url) => url.searchParams.get('sort') === '-llm_score_overall:nulls_first,name')
  await isSaved(page)
  const listed = page.waitForRequest((request) => /nulls_first/.test(decodeURIComponent(request.url())))
  await page.reload()
  await listed

  // Saving another part of the view leaves the sort as it is.
  await page.goto(`${page.url()}&filter=${JSON.stringify(GERMAN)}`)
  await button(page, 'Save').click()
  await isSaved(page)
  const { filter, sort } = await read(id)
  assert.deepEqual([filter, sort[0]?.nulls], [GERMAN, 'first'])

  await button(page, 'Options for Score').click()
  await page.getByRole('menuitem', { name: 'Empty values last' }).click()
  await page.waitForURL((url) => url.searchParams.get('sort') === '-llm_score_overall,name')
  await page.getByRole('menuitem', { name: 'Empty values first' }).click()
  await isSaved(page)
  // Another sort column is added, and both keep the position of their empty values.
  await page.keyboard.press('Escape')
  await page
    .locator('th[data-field=status] button')
    .first()
    .click({ modifiers: ['Shift'] })
  await page.waitForURL(
    (url) => url.searchParams.get('sort') === '-llm_score_overall:nulls_first,name,status',
  )
  await button(page, 'Options for Company').click()
  const menu = page.getByRole('menu', { name: 'Options for Company' })
  await menu.getByRole('menuitem', { name: 'Sort ascending', exact: true }).waitFor()
  assert.equal(await menu.getByRole('menuitem', { name: /^Empty values/ }).count(), 0)
  check()
  await close()
})

test('a rejection that arrives after the dialog was closed is announced, and does not appear in the next dialog', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  let refuse = () => {}
  const isRefused = new Promise<void>((resolve) => {
    refuse = resolve
  })
  await page.route('**/api/views', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await isRefused
    await route.fulfill({ status: 400, json: { error: 'Bad Request', details: 'Refused by the test.' } })
  })
  await page.goto(`${demo.url}/companies?sort=name`)
  const dialog = page.getByRole('dialog', { name: 'Save as a new view' })
  await button(page, 'Save as view…').click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Refused')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  refuse()
  await page.getByRole('alert').getByText('Refused by the test.').waitFor()
  await button(page, 'Save as view…').click()
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
  assert.equal(await dialog.getByRole('alert').count(), 0)
  check()
  await close()
})

test('two people who save a view at once lose nothing', { skip: skip || slow }, async () => {
  const { id } = await view('Contested', { filter: GERMAN })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?view=${id}`)
  await page.waitForURL(/filter=/)
  await page.locator('th[data-field=llm_score_overall] button').first().click()
  await page.waitForURL(/sort=/)
  // Another filter is saved first.
  const other = { field: 'status', op: 'eq', value: 'active' } as const
  const remote = { params: { id }, body: { filter: other }, headers: { 'if-match': '*' } }
  await demo.api.updateView(remote)
  await button(page, 'Save').click()
  const dialog = page.getByRole('dialog', { name: 'This view was saved after you opened it' })
  await dialog.getByText(/ada@example\.com saved "Contested"/).waitFor()
  assert.deepEqual((await read(id)).sort, [])

  // Overwriting changes the sort, which is all that was changed here.
  await dialog.getByRole('button', { name: 'Overwrite' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const after = await read(id)
  assert.deepEqual([after.filter, after.sort[0]?.field], [other, 'llm_score_overall'])
  // The list shows the other user's filter. Otherwise the next save would revert it.
  await page.waitForURL((url) => url.searchParams.get('filter') === JSON.stringify(other))
  await isSaved(page)
  assert.equal(await button(page, 'Save').count(), 0)
  assert.equal(new URL(page.url()).searchParams.get('sort'), '-llm_score_overall')
  // A change that follows is compared with the version that was saved.
  await page.locator('th[data-field=name] button').first().click()
  await button(page, 'Save').click()
  await isSaved(page)
  const last = await read(id)
  assert.deepEqual([last.filter, last.sort[0]?.field], [other, 'name'])
  check()
  await close()
})

test("someone else's shared view is saved as one's own, and a list of new companies is counted and marked", {
  skip,
}, async () => {
  const { id } = await view('Shared', { filter: GERMAN, visibility: 'shared' })
  const ben = createClient({ baseUrl: demo.url, headers: { 'x-user-email': BEN } })
  await ben.markViewSeen({ params: { id } })
  await demo.api.createCompany({
    body: { name: `Entering ${'and entering '.repeat(12)}`, country_code: 'DE' },
  })
  const { page, check, close } = await openPage({ user: BEN })
  await page.goto(`${demo.url}/companies?view=${id}`)
  await tab(page, 'Shared').getByText('1 new since you last looked').waitFor({ state: 'attached' })
  const mark = page.getByRole('img', { name: 'New since you last looked' })
  await page
    .getByRole('row', { name: /Entering/ })
    .and(page.locator('tr', { has: mark }))
    .waitFor()
  assert.equal(await mark.count(), 1)
  // However long the name is.
  assert.ok(
    await mark.evaluate(
      (dot) => dot.getBoundingClientRect().right < (dot.closest('td')?.getBoundingClientRect().right ?? 0),
    ),
  )
  await page.locator('th[data-field=name] button').first().click()
  await button(page, 'Save as…').waitFor()
  assert.equal(await button(page, 'Save').count(), 0)
  const seen = page.waitForResponse(/\/seen\?until=/)
  await tab(page, 'All companies').click()
  await seen
  assert.equal((await ben.listNewRecords({ params: { id } })).pagination.total, 0)
  check()
  await close()
})

test('leaving a view or closing the page marks only what the list has shown as seen', {
  skip: skip || slow,
}, async () => {
  const { id } = await view('Entered', { filter: GERMAN })
  // Only the first tabs say how much is new.
  const order = (view_ids: string[]) => demo.api.orderViews({ body: { entity: 'company', view_ids } })
  await order([id])
  const create = (name: string) => demo.api.createCompany({ body: { name, country_code: 'DE' } })
  const news = async () =>
    (await demo.api.listNewRecords({ params: { id } })).data.map((record) => 'name' in record && record.name)
  await create('Shown')
  const { page, check, close } = await openPage()
  const isCounted = (count: number) =>
    tab(page, 'Entered').getByText(`${count} new since you last looked`).waitFor({ state: 'attached' })
  // The list does not follow changes.
  await page.route(/\/api\/events/, (route) => route.fulfill({ status: 204 }))
  await page.goto(`${demo.url}/companies?view=${id}`)
  await page.getByRole('link', { name: 'Shown', exact: true }).waitFor()
  await isCounted(1)
  await create('Later')
  const seen = page.waitForResponse(/\/seen\?until=/)
  await tab(page, 'All companies').click()
  await seen
  assert.deepEqual(await news(), ['Later'])
  await isCounted(1)

  await tab(page, 'Entered').click()
  await page.getByRole('link', { name: 'Later', exact: true }).waitFor()
  await isCounted(1)
  await create('Last')
  await page.goto(`${demo.url}/theses`)
  await eventually(async () => assert.deepEqual(await news(), ['Last']))
  await order([])
  check()
  await close()
})

test('a view, its menus, and its dialogs are accessible', { skip: skip || slow }, async () => {
  const { id } = await view('Seen', { columns: [{ field: 'tags', pinned: true }] })
  const { page, check, close } = await openPage()
  // Few rows, for axe.
  await page.goto(`${demo.url}/companies?view=${id}&sort=name&q=polar`)
  await screenLoaded(page)
  await assertAccessible(page, 'a changed view')
  await button(page, 'Columns').click()
  await page.getByRole('checkbox', { name: 'Website' }).waitFor()
  await transitionsEnded(page)
  await assertAccessible(page, 'columns')
  await page.keyboard.press('Escape')
  await button(page, 'Options for the view Seen').click()
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  await transitionsEnded(page)
  await assertAccessible(page, 'rename')
  check()
  await close()
})
