/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { SCREENS } from './all-screens.ts'
import { openScreen } from './axe.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { addressOf, shownRecords } from './shown.ts'

const demo = withDemo()

const LAPTOP = { width: 1280, height: 800 }
const NARROW = { width: 360, height: 800 }

/** Opens a page and waits until it follows changes. */
async function visit(page: Page, path: string): Promise<void> {
  const events = page.waitForResponse((response) => response.url().endsWith('/api/events'))
  await page.goto(demo.url + path)
  await events
  await page.locator('main h1').waitFor()
}

test('two people see each other’s changes, and typing is kept', { skip }, async () => {
  const { data: company } = await demo.api.createCompany({ body: { name: 'Seen By Two', hq_city: 'Oslo' } })
  const [ada, bob] = [await openPage(), await openPage({ user: 'bob@fund.example' })]
  await Promise.all([
    visit(ada.page, `/companies/${company.id}`),
    visit(bob.page, `/companies/${company.id}`),
  ])
  await bob.page.getByRole('button', { name: /^Edit HQ city/ }).click()
  const typed = bob.page.getByRole('textbox', { name: 'HQ city', exact: true })
  await typed.fill('Half a na')
  await ada.page.getByRole('button', { name: /^Edit Status/ }).waitFor()
  await demo.api.updateCompany({
    params: { id: company.id },
    body: { name: 'Renamed By Ada', hq_city: 'Bergen' },
  })
  for (const { page } of [ada, bob]) await page.getByRole('heading', { name: 'Renamed By Ada' }).waitFor()
  assert.equal(await typed.inputValue(), 'Half a na')
  await ada.page.getByText('Bergen').first().waitFor()
  for (const { check, close } of [ada, bob]) {
    check()
    await close()
  }
})

test('two people who move deals on the same board see each other’s moves', { skip }, async () => {
  const [company] = (await demo.api.listCompanies({ querystring: { limit: 1 } })).data
  const newDeal = async () =>
    (await demo.api.createDeal({ body: { company_id: company?.id ?? '', source: 'Two people' } })).data.id
  const deals = [await newDeal(), await newDeal()]
  const board = `/pipeline?filter=${encodeURIComponent('{"field":"source","op":"eq","value":"Two people"}')}`
  const people = [await openPage(), await openPage({ user: 'bob@fund.example' })]
  await Promise.all(people.map(({ page }) => visit(page, board)))
  const move = async (page: Page, deal = '', stage = '') => {
    await page.locator(`button[data-deal="${deal}"]`).focus()
    await page.keyboard.press('m')
    // The menu moves the focus to its first item on its own.
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.getByRole('menuitem', { name: stage }).press('Enter')
  }
  const inStage = (page: Page, deal = '', stage = '') =>
    page.locator(`[data-stage=${stage}] button[data-deal="${deal}"]`).waitFor()
  for (const [index, { page }] of people.entries()) {
    const [stage, name] = index === 0 ? ['due_diligence', 'Due diligence'] : ['term_sheet', 'Term sheet']
    await move(page, deals[index], name)
    for (const other of people) await inStage(other.page, deals[index], stage)
  }
  for (const { check, close } of people) {
    check()
    await close()
  }
})

test('a change between the first load and the event stream is seen', { skip: skip || slow }, async () => {
  const { data: company } = await demo.api.createCompany({ body: { name: 'Seen Late' } })
  const { page, check, close } = await openPage()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/events', async (route) => {
    await isReleased
    // The start of a stream that was opened long after the change.
    await route.fulfill({
      contentType: 'text/event-stream',
      body: 'id: 1:1:\nevent: changes\ndata: []\n\n',
    })
  })
  const opening = page.waitForRequest('**/api/events')
  await page.goto(`${demo.url}/companies/${company.id}`)
  await page.getByRole('heading', { name: 'Seen Late' }).waitFor()
  await opening
  await demo.api.updateCompany({ params: { id: company.id }, body: { name: 'Renamed In Between' } })
  await page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 60_000
  })
  release()
  await page.getByRole('heading', { name: 'Renamed In Between' }).waitFor()
  check()
  await close()
})

test('notices are at the bottom left, and every control can be scrolled clear of them, on laptops and in narrow windows', {
  skip: skip || slow,
}, async () => {
  const { page, close } = await openPage({ viewport: LAPTOP, reducedMotion: 'reduce' })
  const { data: company } = await demo.api.createCompany({ body: { name: 'Noticed', hq_city: 'Oslo' } })
  const shown = { ...(await shownRecords(demo)), company: company.id }
  await page.goto(`${demo.url}/companies/${company.id}`)
  await page.getByRole('button', { name: /^Edit HQ city/ }).click()
  await page.getByRole('textbox', { name: 'HQ city', exact: true }).fill('Bergen')
  await page.keyboard.press('Enter')
  const again = page.locator('.notices').getByRole('button', { name: /^(Undo|Redo)$/ })
  await again.waitFor()
  for (const [name, address] of Object.entries(SCREENS)) {
    await openScreen(page, addressOf(address, shown))
    await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'hidden' })
    // Undoing replaces this notice with another one.
    const [before] = await noticedActions(page)
    await again.evaluate((button: HTMLElement) => button.click())
    await eventually(async () => {
      const [now, ...others] = await noticedActions(page)
      assert.ok(now && now !== before && others.length === 0)
    })
    for (const window of [LAPTOP, NARROW]) {
      await page.setViewportSize(window)
      // A notice stays open under the pointer.
      await again.hover()
      await eventually(
        async () =>
          assert.deepEqual(await noticeAndCovered(page), { isNoticed: true, isInPlace: true, covered: [] }),
        { timeoutMs: 5000 },
      ).catch((error) => assert.fail(`${name}, ${window.width} pixels: ${error.message}`))
    }
    await page.setViewportSize(LAPTOP)
  }
  await close()
})

/** The actions that the notices on screen are about. */
const noticedActions = (page: Page) =>
  page
    .locator('.notices a[href^="/activity/actions/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))

/** Whether there is a notice in its place, and the controls whose center stays covered when they are scrolled to. */
const noticeAndCovered = (
  page: Page,
): Promise<{ isNoticed: boolean; isInPlace: boolean; covered: string[] }> =>
  page.evaluate(() => {
    const strip = document.querySelector('.notices')?.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(document.querySelector('main') as Element)
    const sidebar = Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    const isCovered = (control: Element) => {
      const { left, top, width, height } = control.getBoundingClientRect()
      return Boolean(document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.notices'))
    }
    return {
      isNoticed: document.querySelector('.notices a[href^="/activity/actions/"]') !== null,
      isInPlace: strip?.bottom === innerHeight && Math.abs(strip.left - sidebar) < 1,
      covered: [...document.querySelectorAll('a[href], button, input, select, textarea')]
        .filter((control) => !control.closest('.notices') && isCovered(control))
        .filter((control) => {
          control.scrollIntoView({ block: 'nearest' })
          return isCovered(control)
        })
        .map((control) => control.outerHTML.slice(0, 200)),
    }
  })

test('unknown addresses stay inside the shell', { skip }, async () => {
  const { page, close } = await openPage()
  for (const path of ['/nothing-here', '/companies/x/y/z']) {
    await page.goto(demo.url + path)
    await page.getByText('Page not found').waitFor()
    await page.getByRole('navigation').first().waitFor()
    assert.equal(await page.locator('main').count(), 1)
  }
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.waitForURL('**/home')
  await close()
})

test('a pair of duplicates that one person dismisses or reopens updates for the other', {
  skip: skip || slow,
}, async () => {
  for (const name of ['Ostravelle Textiles', 'Ostravelle Textiles s.r.o.'])
    await demo.api.createCompany({ body: { name, country_code: 'CZ' } })
  const people = [await openPage(), await openPage({ user: 'bob@fund.example' })]
  await Promise.all(people.map(({ page }) => visit(page, '/duplicates')))
  // The background scan may find the pair when the screens are already open.
  const pairOn = (page: Page) => page.getByRole('listitem', { name: /Ostravelle/ })
  for (const { page } of people) await pairOn(page).waitFor()
  await people[0]?.page.getByRole('button', { name: /^Not the same: Ostravelle/ }).click()
  for (const { page } of people) await pairOn(page).waitFor({ state: 'detached' })
  // By then, the refetches that the new companies caused are over.
  const dismissed = (await demo.api.listDuplicates({ querystring: { status: 'dismissed' } })).data
  const id = dismissed.find(({ companies }) => companies[0]?.name.startsWith('Ostravelle'))?.id ?? ''
  await demo.api.reopenDuplicate({ params: { id } })
  for (const { page } of people) await pairOn(page).waitFor()
  await demo.api.dismissDuplicate({ params: { id } })
  for (const { page } of people) await pairOn(page).waitFor({ state: 'detached' })
  for (const { check, close } of people) {
    check()
    await close()
  }
})
