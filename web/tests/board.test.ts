/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import {
  countsOf,
  hasFocus,
  openPage,
  pressQuickly,
  requestsEnded,
  skip,
  transitionsEnded,
} from './browser.ts'
import { withDemo } from './demo.ts'

const NARROW = { width: 320, height: 800 }

const demo = withDemo()

const column = (page: Page, stage: string) => page.locator(`[data-stage="${stage}"]`)
const stagesOf = async (ids: string[]) =>
  Promise.all(ids.map(async (id) => (await demo.api.getDeal({ params: { id } })).data.stage))
const newDeals = async (count: number, source: string) => {
  const { data: companies } = await demo.api.listCompanies({ querystring: { limit: count } })
  const deals = companies.map(async ({ id }, index) => {
    const body = { company_id: id, probability: Math.max(0, 90 - index), amount_eur: 1_000_000, source }
    return (await demo.api.createDeal({ body })).data
  })
  return Promise.all(deals)
}
const addressOf = (source: string) =>
  `${demo.url}/pipeline?filter=${encodeURIComponent(JSON.stringify({ field: 'source', op: 'eq', value: source }))}`

/** Moves the focused or the selected deals. */
async function chooseStage(page: Page, stage: string): Promise<void> {
  await page.keyboard.press('m')
  // The menu moves the focus to its first item on its own.
  await page.locator('[role=menu]:focus-within').waitFor()
  await page.getByRole('menuitem', { name: stage }).press('Enter')
}

// First, because later tests add many deals.
test('the board, the list, the panel, and the dialogs are accessible, also at 320 pixels', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1280, height: 800 } })
  const { data } = await demo.api.listDeals({ querystring: { limit: 1 } })
  const [deal] = data
  for (const address of ['/pipeline', '/pipeline?view=list', `/pipeline?deal=${deal?.id}`]) {
    await page.goto(demo.url + address)
    await screenLoaded(page)
    await assertAccessible(page, address, [NARROW])
  }
  await page.goto(`${demo.url}/pipeline`)
  await page.locator('button[data-deal]').first().focus()
  await page.keyboard.press('x')
  await page.keyboard.press('m')
  await page.getByRole('menuitem').first().waitFor()
  await transitionsEnded(page)
  await assertAccessible(page, 'moving')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New deal' }).click()
  await page.getByRole('dialog').getByLabel('Round').waitFor()
  await transitionsEnded(page)
  await assertAccessible(page, 'new deal', [NARROW])
  check()
  await close()
})

test('a board shows all cards of a column, a few at a time', { skip }, async () => {
  const { data: all } = await demo.api.listDeals({ querystring: { limit: 1000 } })
  for (const width of [360, 1280]) {
    const { page, check, close } = await openPage({ viewport: { width, height: 740 } })
    const counts = await countsOf(page, '[data-stage] article')
    await page.goto(`${demo.url}/pipeline`)
    await eventually(async () => assert.equal(await page.locator('[data-stage] article').count(), all.length))
    const steps = (await counts()).length
    assert.ok(steps > 2, `all cards appeared at once, in ${steps} steps, at ${width} pixels`)
    check()
    await close()
  }
})

test('a key reaches a card that has not appeared yet', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  const [first, second] = await newDeals(2, 'Reached early')
  await page.goto(addressOf('Reached early'))
  await screenLoaded(page)
  await pressQuickly(page, 'g', 'h')
  await page.waitForURL(/\/home/)
  await screenLoaded(page)
  // The board adds cards with each frame.
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0
  })
  await page.evaluate(() => history.back())
  const card = (id = '') => page.locator(`button[data-deal="${id}"]`)
  await card(first?.id).evaluate((element) => element.focus())
  assert.equal(await card(second?.id).count(), 0)
  await page.keyboard.press('j')
  assert.ok(await card(second?.id).evaluate((element) => element === document.activeElement))
  check()
  await close()
})

test('Back restores the scroll positions of the board and its columns', { skip: skip || slow }, async () => {
  const [deal] = await newDeals(30, 'Scrolled')
  const { page, check, close } = await openPage({ viewport: { width: 700, height: 740 } })
  await page.goto(addressOf('Scrolled'))
  const board = page.getByRole('region', { name: 'Deals by stage' })
  const cards = column(page, deal?.stage ?? '').locator('article')
  await screenLoaded(page)
  assert.equal(await cards.count(), 30)
  const body = cards.locator('xpath=ancestor::ul/..').first()
  const positions = () =>
    Promise.all([board.evaluate(({ scrollLeft }) => scrollLeft), body.evaluate(({ scrollTop }) => scrollTop)])
  await body.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await board.evaluate((element) => element.scrollTo({ left: 162 }))
  const before = await positions()
  assert.ok(before[0] > 100 && before[1] > 2000, String(before))
  await pressQuickly(page, 'g', 'h')
  await cards.first().waitFor({ state: 'detached' })
  await page.goBack()
  await screenLoaded(page)
  assert.deepEqual(await positions(), before)
  check()
  await close()
})

test('a board or list that cannot be refetched stays on screen below the error', {
  skip: skip || slow,
}, async () => {
  for (const [address, deal] of [
    ['/pipeline', '[data-stage] article'],
    ['/pipeline?layout=list', 'tbody tr'],
  ] as const) {
    const { page, check, close } = await openPage()
    await page.goto(demo.url + address)
    await screenLoaded(page)
    const body = JSON.stringify({ error: 'Invalid', details: 'Not now.' })
    await page.route(/\/api\/dealflow(\/stages)?\?/, (route) =>
      route.fulfill({ status: 400, contentType: 'application/json', body }),
    )
    const failed = page.waitForResponse((response) => response.status() === 400)
    await newDeals(1, 'Seen later')
    await failed
    await requestsEnded(page)
    await page.getByText('Not now.').first().waitFor()
    assert.ok((await page.locator(deal).count()) > 0, address)
    check()
    await close()
  }
})

test('the focus returns to the deal when its selection is cleared in the bar', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  const [deal] = await newDeals(1, 'Cleared in the bar')
  await page.goto(addressOf('Cleared in the bar'))
  const card = page.locator(`button[data-deal="${deal?.id}"]`)
  await card.focus()
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Clear selection' }).focus()
  await page.keyboard.press('Enter')
  await hasFocus(card)
  check()
  await close()
})

test('several deals are selected and moved with the keyboard alone, and undone as one action', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const deals = await newDeals(3, 'Moved together')
  const ids = deals.map(({ id }) => id)
  await page.goto(addressOf('Moved together'))
  const card = (id = '') => page.locator(`button[data-deal="${id}"]`)
  await card(ids[0]).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await hasFocus(card(ids[1]))
  await page.keyboard.press('x')
  await page.getByText('2 selected').waitFor()
  const handle = page.locator(`[data-handle="${ids[1]}"]`)
  await handle.focus()
  await page.keyboard.press('Space')
  await page.locator('[data-dragging]').waitFor()
  // A drag listens to keys from the next task on.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await page.keyboard.press('Escape')
  await page.locator('[data-dragging]').waitFor({ state: 'detached' })
  await page.keyboard.press('m')
  await page.locator('[role=menu]:focus-within').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.getByText('2 selected').waitFor()
  await card(ids[0]).focus()
  await chooseStage(page, 'Due diligence')
  await page.getByText('2 deals moved to Due diligence.').waitFor()
  await hasFocus(card(ids[0]))
  assert.deepEqual(await stagesOf(ids), ['due_diligence', 'due_diligence', 'initial'])
  await column(page, 'due_diligence').getByText('2 deals').waitFor()
  await column(page, 'initial').getByText('€1M', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Changes to 2 records undone.').waitFor()
  assert.deepEqual(await stagesOf(ids), ['initial', 'initial', 'initial'])
  await card(ids[0]).focus()
  await pressQuickly(page, 'g', 'h')
  await page.waitForURL(/\/home/)
  check()
  await close()
})

test('with reduced motion, Escape from the stage menu always returns the focus to the deal', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ reducedMotion: 'reduce' })
  const [deal] = await newDeals(1, 'Without motion')
  await page.goto(addressOf('Without motion'))
  const card = page.locator(`button[data-deal="${deal?.id}"]`)
  await card.focus()
  for (let time = 0; time < 3; time++) {
    await page.keyboard.press('m')
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await hasFocus(card)
  }
  check()
  await close()
})

test('text that is typed while the stages are loading is kept', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/dealflow/stages/config', async (route) => {
    await isReleased
    const response = await route.fetch()
    const json = await response.json()
    json.data.stages[0].label = 'Sourced'
    await route.fulfill({ response, json })
  })
  await page.goto(`${demo.url}/pipeline`)
  await page.getByRole('button', { name: 'New deal' }).click()
  const stage = page.getByRole('dialog').getByRole('combobox', { name: 'Stage' })
  await stage.fill('Due')
  const loaded = page.waitForResponse('**/api/dealflow/stages/config')
  release()
  await loaded
  await page.getByRole('option', { name: 'Due diligence' }).waitFor()
  assert.equal(await stage.inputValue(), 'Due')
  await page.getByRole('option', { name: 'Due diligence' }).click()
  assert.equal(await stage.inputValue(), 'Due diligence')
  await page.keyboard.press('Escape')
  check()
  await close()
})

test('all stages fit, a collapsed one stays collapsed, and a narrow board says how many more there are', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${demo.url}/pipeline`)
  await screenLoaded(page)
  assert.equal(await page.getByRole('button', { name: /more stage/ }).count(), 0)
  const width = async () => (await column(page, 'closed_lost').boundingBox())?.width ?? 0
  const before = await width()
  await page.getByRole('button', { name: 'Collapse Closed lost' }).click()
  await page.getByRole('button', { name: 'Expand Closed lost' }).waitFor()
  assert.ok((await width()) < before / 2)
  await page.reload()
  await page.getByRole('button', { name: 'Expand Closed lost' }).waitFor()
  await page.setViewportSize({ width: 700, height: 800 })
  const more = page.getByRole('button', { name: /more stage/ })
  await more.click()
  await page.getByRole('button', { name: 'Expand Closed lost' }).click()
  await page.getByRole('button', { name: 'Collapse Closed lost' }).waitFor()
  check()
  await close()
})

test('filters are part of the address, and counts and sums come from the service', { skip }, async () => {
  const { page, check, close } = await openPage()
  await newDeals(60, 'Many')
  await page.goto(addressOf('Many'))
  await column(page, 'initial').getByText('60 deals').waitFor()
  await column(page, 'initial').getByText('€60M', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show 10 more' }).click()
  await page.locator('button[data-deal]').nth(59).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Show .* more$/ }).count(), 0)
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await page.getByText('No deals match these filters').waitFor()
  assert.match(page.url(), /filter=.*owner=me/)
  await page.reload()
  await page.getByText('No deals match these filters').waitFor()
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await page.getByRole('radiogroup', { name: 'View' }).getByText('List').click()
  await page.getByRole('button', { name: 'Probability', exact: true }).click()
  await page.waitForURL(/sort=-probability/)
  const { data } = await demo.api.listDeals({
    querystring: { filter: '{"field":"source","op":"eq","value":"Many"}', sort: '-probability', limit: 1 },
  })
  await page
    .locator('tbody tr')
    .first()
    .getByText(data[0]?.company_name ?? '?')
    .waitFor()
  check()
  await close()
})

test('a lost deal asks for the reason, and its terms are edited in place', { skip }, async () => {
  const { page, check, close } = await openPage()
  const [deal] = await newDeals(1, 'To lose')
  assert.ok(deal)
  const read = async () => (await demo.api.getDeal({ params: { id: deal.id } })).data
  await page.goto(addressOf('To lose'))
  await page.getByRole('button', { name: `Actions for deal with ${deal.company_name}` }).click()
  await page.getByRole('menuitem', { name: 'Closed lost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Why was this deal lost?' })
  await dialog.getByRole('textbox').fill('Valuation too high')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Mark as lost' }).click()
  await saved
  const lost = await read()
  assert.deepEqual([lost.stage, lost.status, lost.lost_reason], ['closed_lost', 'lost', 'Valuation too high'])

  await page.locator(`[data-deal="${deal.id}"]`).click()
  const amount = page.getByRole('dialog').getByRole('textbox', { name: 'Amount' })
  await amount.fill('lots')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a number.').waitFor()
  await amount.fill('2.5m')
  await page.keyboard.press('Enter')
  await page.getByText(/^Updated Amount/i).waitFor()
  await hasFocus(amount)
  const share = page.getByRole('dialog').getByRole('textbox', { name: 'Ownership' })
  await share.fill('120')
  await page.keyboard.press('Tab')
  await page.getByText(/Ownership \(%\) must be a number from 0 to 100/).waitFor()
  await share.fill('12')
  await page.keyboard.press('Escape')
  await hasFocus(share)
  assert.equal(await share.inputValue(), '')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual([(await read()).amount_eur, (await read()).ownership_percent], [2_500_000, null])
  check()
  await close()
})

test('undoing a move with z keeps the focus on the deal', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  const [deal] = await newDeals(1, 'Moved and back')
  await page.goto(addressOf('Moved and back'))
  const card = page.locator(`button[data-deal="${deal?.id}"]`)
  await card.focus()
  await chooseStage(page, 'Term sheet')
  await column(page, 'term_sheet').locator(card).waitFor()
  await hasFocus(card)
  await requestsEnded(page)
  await page.keyboard.press('z')
  await column(page, 'initial').locator(card).waitFor()
  await hasFocus(card)
  check()
  await close()
})

test('"Show more" focuses the first of the added deals, and Back shows them again', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  await newDeals(110, 'Many deals')
  await page.goto(addressOf('Many deals'))
  const cards = column(page, 'initial').locator('button[data-deal]')
  await page.getByRole('button', { name: 'Show 50 of 60 more' }).press('Enter')
  await hasFocus(cards.nth(50))
  assert.equal(await cards.count(), 100)
  await pressQuickly(page, 'g', 'h')
  await page.waitForURL(/\/home/)
  await page.goBack()
  await cards.nth(99).waitFor()
  // It is disabled while the deals are fetched again, and a key would do nothing.
  await page.getByRole('button', { name: 'Show 10 more', disabled: false }).press('Enter')
  await hasFocus(cards.nth(100))
  check()
  await close()
})

test('Back closes the panel of a deal, and does not open a closed one again', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  const [deal] = await newDeals(1, 'Closed again')
  const card = page.locator(`button[data-deal="${deal?.id}"]`)
  const panel = page.getByRole('dialog')
  await page.goto(`${demo.url}/home`)
  await page.goto(addressOf('Closed again'))
  for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await card.press('Enter')
    await panel.getByText('Owner').first().waitFor()
    await close()
    await panel.waitFor({ state: 'detached' })
    await hasFocus(card)
  }
  await page.goBack()
  await page.waitForURL(/\/home/)
  await page.goto(`${demo.url}/pipeline?deal=${deal?.id}`)
  await panel.getByText('Owner').first().waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/pipeline')
  check()
  await close()
})

test('Try again repeats a move that failed while the service was down, unless the deal has moved since', {
  skip: skip || slow,
}, async () => {
  const { page, close } = await openPage()
  const [first, second] = await newDeals(2, 'Tried again')
  const ids = [first?.id ?? '', second?.id ?? '']
  await page.goto(addressOf('Tried again'))
  const card = (id = '') => page.locator(`button[data-deal="${id}"]`)
  const again = page.getByRole('button', { name: 'Try again' })
  const failing = /\/api\/dealflow(\/df_\w+)?$/
  const body = JSON.stringify({ error: 'Unavailable', details: 'The database cannot be reached.' })
  const fail = (failure: 'database' | 'service') =>
    page.route(failing, (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      if (failure === 'service') return route.abort()
      return route.fulfill({ status: 503, contentType: 'application/json', body })
    })
  const moveTo = async (stage: string) => {
    await chooseStage(page, stage)
    await again.waitFor()
    await page.unroute(failing)
  }
  await fail('service')
  await card(first?.id).focus()
  await moveTo('Term sheet')
  await column(page, 'initial').locator(card(first?.id)).waitFor()
  await again.click()
  await column(page, 'term_sheet').locator(card(first?.id)).waitFor()
  await again.waitFor({ state: 'detached' })
  await fail('database')
  await card(second?.id).focus()
  await moveTo('Term sheet')
  await page.getByText('The database cannot be reached.').waitFor()
  await demo.api.updateDeal({ params: { id: ids[1] ?? '' }, body: { stage: 'due_diligence' } })
  await column(page, 'due_diligence').locator(card(second?.id)).waitFor()
  await again.click()
  await page.getByText('Someone else changed this deal.').waitFor()
  assert.deepEqual(await stagesOf(ids), ['term_sheet', 'due_diligence'])
  await close()
})
