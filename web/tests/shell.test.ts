/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { slow } from '#src/testing/slow.ts'
import { assertAccessible } from './axe.ts'
import { hasFocus, openPage, pressQuickly, requestsEnded, skip, transitionsEnded } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

const KEY = 'service_dev_user_email'

test('a tab follows a sign-in in another tab and keeps drafts per user', {
  skip: skip || slow,
}, async () => {
  const { page, close } = await openPage({ user: null })
  await page.goto(`${demo.url}/healthz`)
  await page.evaluate((key) => localStorage.setItem(key, 'ada@example.com'), KEY)
  await page.goto(`${demo.url}/home`)
  await page.getByRole('button', { name: 'Feedback' }).click()
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await subject.fill('Only Ada knows')

  const other = await page.context().newPage()
  await other.goto(`${demo.url}/healthz`)
  await other.evaluate((key) => localStorage.setItem(key, 'grace@example.com'), KEY)
  await subject.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByText('grace@example.com').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Feedback' }).click()
  assert.equal(await subject.inputValue(), '')

  await other.evaluate((key) => localStorage.setItem(key, 'ada@example.com'), KEY)
  await subject.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Feedback' }).click()
  assert.equal(await subject.inputValue(), 'Only Ada knows')
  await page.keyboard.press('Escape')

  await page.route('**/api/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('Something went wrong').waitFor()
  assert.equal(new URL(page.url()).pathname, '/home')
  await page.unroute('**/api/auth/logout')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${demo.url}/`)
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(sessionStorage)), /Only Ada knows/)
  await close()
})

test('an unreadable draft and full storage do not prevent typing', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/home`)
  await page.evaluate(() => {
    sessionStorage.setItem('draft:ada@example.com:feedback', '{"title":7}')
    sessionStorage.setItem('draft:ada@example.com:feedback-attempt', '{')
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.getByRole('button', { name: 'Feedback' }).click()
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await subject.fill('A full storage')
  assert.equal(await subject.inputValue(), 'A full storage')
  check()
  await close()
})

test('a signed-in user returns to the requested page, and never to another site', { skip }, async () => {
  const { page, close } = await openPage()
  await page.goto(`${demo.url}/?return_to=%2Fcompanies%3Fq%3Drobots`)
  await page.waitForURL(`${demo.url}/companies?q=robots`)
  await page.goto(`${demo.url}/?return_to=%2F%5Cevil.example`)
  await page.waitForURL(`${demo.url}/home`)
  await close()
})

test('queries that failed while the service was unreachable are refetched', {
  skip: skip || slow,
}, async () => {
  const { page, close } = await openPage()
  let isDown = true
  await page.route(/\/(api\/theses|healthz)/, (route) => (isDown ? route.abort() : route.continue()))
  await page.goto(`${demo.url}/theses`)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  isDown = false
  const thesis = (await demo.api.listTheses()).data[0]
  await page
    .locator('main')
    .getByText(thesis?.title ?? '')
    .first()
    .waitFor()
  await close()
})

test('navigation moves the focus to the content, and a closed menu is not focusable', {
  skip,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 800, height: 600 } })
  await page.goto(`${demo.url}/home`)
  const theses = page.getByRole('link', { name: 'Theses', exact: true }).first()
  await page.getByRole('button', { name: 'Your account' }).waitFor()
  assert.equal(await page.getByRole('navigation', { name: 'Main navigation' }).isVisible(), false)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await theses.click()
  await page.getByRole('heading', { name: 'Theses', exact: true }).waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'content')
  check()
  await close()
})

test('an unknown address shows a 404 page, and a trailing slash is accepted', { skip }, async () => {
  const { page, close } = await openPage()
  const answer = await page.goto(`${demo.url}/no/such/page`)
  assert.equal(answer?.status(), 404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  assert.match(await page.title(), /^Page not found · /)
  for (const screen of ['companies', 'pipeline']) {
    await page.goto(`${demo.url}/${screen}/`)
    await page.getByRole('heading', { level: 1, name: screen }).waitFor()
  }
  await close()
})

test('companies that were added one after the other are one entry of the activity', {
  skip: skip || slow,
}, async () => {
  const names = Array.from({ length: 101 }, (_, n) => ({ name: `One of many ${n}` }))
  for (const body of names) await demo.api.createCompany({ body })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/activity`)
  await page.getByText('and 100 more companies').waitFor()
  check()
  await close()
})

test('the palette finds records and runs actions, and g navigates', { skip }, async () => {
  const thesis = (await demo.api.listTheses()).data[0]
  const company = (await demo.api.listCompanies({ querystring: { limit: 1, sort: '-name' } })).data[0]
  assert.ok(thesis && company)
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/home`)
  await page.locator('main h1').waitFor()
  const query = page.getByRole('combobox', { name: 'Command palette' })
  await page.keyboard.press('Control+k')
  const isMarked = (option: string) =>
    page.getByRole('option', { name: option }).and(page.locator('[data-combobox-selected]')).waitFor()
  await query.fill(company.name)
  await isMarked(company.name)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/companies/${company.id}`)
  await page.locator('main h1').waitFor()
  await page.keyboard.press('Control+k')
  await query.fill(thesis.title)
  await isMarked(thesis.title)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/theses/${thesis.id}`)
  await page.keyboard.press('Control+k')
  await query.fill('collapse')
  await isMarked('Collapse the sidebar')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Expand the sidebar' }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('button', { name: 'Collapse the sidebar' }).waitFor()
  for (const [key, address] of [
    ['p', '/pipeline'],
    ['h', '/home'],
    ['t', '/theses'],
    ['c', '/companies'],
  ]) {
    await pressQuickly(page, 'g', key as string)
    await page.waitForURL(`**${address}`)
  }
  check()
  await close()
})

test('the palette, the help, and the dialogs of the keys are accessible', {
  skip: skip || slow,
}, async () => {
  // A tag to suggest.
  await demo.api.createCompany({ body: { name: 'Tagged Here', tags: ['Suggested'] } })
  const { page, check, close } = await openPage()
  // Few rows, for axe.
  await page.goto(`${demo.url}/companies?q=polar`)
  await page.locator('tbody tr').first().waitFor()
  await requestsEnded(page)
  for (const keys of ['Control+k', '?', 's', '#']) {
    await page.keyboard.press(keys)
    await page.getByRole('dialog').locator(':focus').waitFor()
    await requestsEnded(page)
    // The library's list of suggestions scrolls, but its options take no focus of their own.
    if (keys === '#') {
      await page.getByRole('listbox').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('listbox').waitFor({ state: 'hidden' })
    }
    await transitionsEnded(page)
    await assertAccessible(page, keys)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  check()
  await close()
})

test('the palette takes the focus from an open menu or popover, and closes it', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies`)
  await requestsEnded(page)
  const palette = page.getByRole('combobox', { name: 'Command palette' })
  const opensOver = async (button: Locator, overlay: Locator, text: string) => {
    await button.click()
    await overlay.waitFor()
    await page.keyboard.press('Control+k')
    await hasFocus(palette)
    await page.keyboard.type(text, { delay: 40 })
    assert.equal(await palette.inputValue(), text)
    await hasFocus(palette)
    await overlay.waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    await hasFocus(button)
  }
  const menu = page.getByRole('button', { name: 'More actions' })
  await opensOver(menu, page.getByRole('menu'), 'robots')
  const columns = page.getByRole('button', { name: 'Columns' })
  await opensOver(columns, page.getByRole('dialog', { name: 'Columns' }), 'optics')
  check()
  await close()
})
