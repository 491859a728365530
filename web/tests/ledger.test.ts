/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findDuplicates } from '#src/features/duplicates/scan.ts'
import { builtWebApp } from '#src/platform/http/web-app.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { freePort } from '#src/testing/free-port.ts'
import { slow } from '#src/testing/slow.ts'
import { assertAccessible, layoutEnded } from './axe.ts'
import { type OpenPage, openPage, skip, withBrowser } from './browser.ts'
import { buildWebApp } from './demo.ts'

/** For visual review. Ignored by git. */
const SCREENSHOTS = path.join(import.meta.dirname, '..', 'screenshots')

const admin = 'admin@example.com'
const member = 'mia@example.com'
let api: TestApp
let url: string
/** Opened once: the tests go from screen to screen in it. */
let opened: OpenPage
let page: Page
before(async () => {
  if (skip) return
  buildWebApp()
  mkdirSync(SCREENSHOTS, { recursive: true })
  const port = await freePort()
  url = `http://localhost:${port}`
  const settings = { ENFORCE_ROLES: 'true', ADMIN_EMAILS: admin, PUBLIC_URL: url }
  api = await testApp(settings, { webFolder: builtWebApp() })
  await api.app.listen({ port, host: 'localhost' })
  opened = await signedIn(admin)
  page = opened.page
})
withBrowser()
after(() => api?.close())

async function signedIn(email: string): Promise<OpenPage> {
  const { cookie } = await sessionCookieOf(api, email)
  const tab = await openPage({ user: null, viewport: { width: 1280, height: 800 } })
  const value = String(cookie).slice('service_session='.length)
  await tab.page.context().addCookies([{ name: 'service_session', value, url }])
  return tab
}

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', address: string, body?: object) => {
  const answer = await api.call(method, address, body, { headers: { 'x-user-email': admin } })
  assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}
const created = async (address: string, body: object): Promise<string> =>
  (await call('POST', address, body)).body.data.id
const read = async (address: string) => (await call('GET', address)).body.data

const notice = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (name: string) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }).click()
const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** Takes a screenshot, and asserts that axe finds nothing. */
async function review(name: string): Promise<void> {
  await layoutEnded(page)
  await page.screenshot({ path: path.join(SCREENSHOTS, `ledger-${name}.png`) })
  await assertAccessible(page, name)
}

test('a change is undone and redone from its notice, and its page shows what was skipped', {
  skip,
}, async () => {
  const id = await created('/api/companies', { name: 'Northwind Robotics', hq_city: 'Oslo' })
  const city = async () => (await read(`/api/companies/${id}`)).company.hq_city
  await page.goto(`${url}/companies/${id}`)
  await page.getByRole('button', { name: /^Edit HQ city/ }).click()
  await page.getByRole('textbox', { name: 'HQ city', exact: true }).fill('Bergen')
  await page.keyboard.press('Enter')
  await notice('Updated HQ city for Northwind Robotics.').getByRole('button', { name: 'Undo' }).click()
  await notice('Change undone.').waitFor()
  assert.equal(await city(), 'Oslo')
  await page.getByRole('button', { name: 'Edit HQ city: Oslo' }).waitFor()
  await notice('Change undone.').getByRole('button', { name: 'Redo' }).click()
  await page.getByRole('button', { name: 'Edit HQ city: Bergen' }).waitFor()
  await page.getByText('changed HQ city from Oslo to Bergen').first().waitFor()
  assert.equal(await city(), 'Bergen')

  // Undoes a change of two fields, one of which has changed since.
  const changed = await call('PATCH', `/api/companies/${id}`, { hq_city: 'Stavanger', status: 'inactive' })
  await call('PATCH', `/api/companies/${id}`, { status: 'acquired' })
  await page.goto(`${url}/activity/actions/${changed.headers['x-action-id']}`)
  await page.getByText(/changed HQ city from Bergen to Stavanger/).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Changes to 1 record will be undone.').waitFor()
  await dialog.getByText('It has changed since.').waitFor()
  await review('undo-dialog')
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await notice('Changes to 1 record undone, 1 left unchanged.').getByText('Details').click()
  await page.getByRole('heading', { name: 'Left unchanged' }).waitFor()
  await page.getByText('status. It has changed since.').waitFor()
  await review('action')
  const { company } = await read(`/api/companies/${id}`)
  assert.deepEqual([company.hq_city, company.status], ['Bergen', 'acquired'])
  opened.check()
})

test('a company is deleted with its deals, restored from the trash, and deleted for good', {
  skip,
}, async () => {
  const id = await created('/api/companies', { name: 'Fjord Sensors' })
  await created('/api/dealflow', { company_id: id })
  await page.goto(`${url}/companies/${id}`)
  await click('More actions')
  await page.getByRole('menuitem', { name: 'Delete company' }).click()
  await page
    .getByRole('dialog')
    .getByText(/moves to the trash with its 1 deal, its files/)
    .waitFor()
  await confirm('Delete company')
  await notice('Fjord Sensors moved to the trash.').waitFor()
  await page.waitForURL(`${url}/companies`)
  await page.goBack()
  await page.getByRole('heading', { name: 'In the trash' }).waitFor()
  await follow('Trash')
  await page.getByRole('row', { name: /Fjord Sensors.*Company.*with 1 deal.*You/ }).waitFor()
  await review('trash')
  await click('Restore Fjord Sensors')
  await notice('2 records restored.').waitFor()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  assert.equal((await read(`/api/companies/${id}`)).deals.length, 1)
  await call('DELETE', `/api/companies/${id}`)
  await follow('Activity')
  await follow('Trash')
  await click('Delete permanently: Fjord Sensors')
  await confirm('Delete permanently')
  await notice('Permanently deleted.').waitFor()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  assert.deepEqual(await read('/api/trash'), [])
  opened.check()
})

test('selected companies are deleted as one action, which is undone from its notice', { skip }, async () => {
  for (const name of ['Doomed One', 'Doomed Two']) await created('/api/companies', { name })
  const left = async () => (await call('GET', '/api/companies?search=doomed')).body.pagination.total
  await page.goto(`${url}/companies?q=doomed`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page
    .getByRole('region', { name: 'Selected companies' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await confirm('Delete 2 companies')
  const deleted = notice('2 companies moved to the trash.')
  await deleted.waitFor()
  assert.equal(await left(), 0)
  await deleted.getByRole('button', { name: 'Undo' }).click()
  await notice('Changes to 2 records undone.').waitFor()
  await page.getByRole('link', { name: 'Doomed One' }).waitFor()
  assert.equal(await left(), 2)
  opened.check()
})

test('the history of a company is paged and filtered by field', { skip: skip || slow }, async () => {
  const id = await created('/api/companies', { name: 'Old Name' })
  await call('PATCH', `/api/companies/${id}`, { name: 'New Name', activity_description: 'x'.repeat(3000) })
  for (let count = 1; count <= 26; count++)
    await call('PATCH', `/api/companies/${id}`, { employee_count: count })
  await page.goto(`${url}/companies/${id}#history`)
  const items = page.getByRole('tabpanel').getByRole('listitem')
  await items.nth(24).waitFor()
  assert.match((await items.first().textContent()) ?? '', /employee count.*25.*26.*You/)
  await page.getByRole('button', { name: 'Page 2' }).click()
  await items.filter({ hasText: 'Old Name' }).waitFor()
  await page.getByRole('combobox', { name: 'Field' }).selectOption('Description')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('dialog').getByText('x'.repeat(3000)).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Field' }).selectOption('HQ city')
  await page.getByText('This field has not changed yet.').waitFor()
  await page.getByRole('combobox', { name: 'Field' }).selectOption('All fields')
  await items.nth(24).waitFor()
  await review('history')
  opened.check()
})

test('a second active deal is created only after a confirmation, and the company shows both', {
  skip: skip || slow,
}, async () => {
  const id = await created('/api/companies', { name: 'Twice Wooed' })
  await created('/api/dealflow', { company_id: id, stage: 'meeting', notes: 'First' })
  await page.goto(`${url}/companies/${id}`)
  await page
    .getByRole('region', { name: 'Deal', exact: true })
    .getByRole('button', { name: 'New deal' })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Summary' }).fill('Second')
  await confirm('Create deal')
  await dialog.getByText('The deal with Twice Wooed is in Meeting. Create another one?').waitFor()
  assert.equal((await read(`/api/dealflow?company_id=${id}`)).length, 1)
  await review('second-deal')
  await confirm('Create another deal')
  const deals = page.getByRole('region', { name: 'Deals (2)' })
  await deals.getByText('First', { exact: true }).waitFor()
  await deals.getByText('Second', { exact: true }).waitFor()
  opened.check()
})

test('a duplicate is found while typing, dismissed, and merged with the arrow keys and Enter', {
  skip,
}, async () => {
  const website = 'https://aurora-pumps.example'
  const kept = await created('/api/companies', { name: 'Aurora Pumps', website, hq_city: 'Oslo' })
  const other = await created('/api/companies', { name: 'Aurora Pumps AS', website, hq_city: 'Bergen' })
  await created('/api/dealflow', { company_id: other })
  await findDuplicates(api.context.backgroundDb, new AbortController().signal)

  await page.goto(`${url}/companies`)
  await click('New company')
  await page.getByRole('textbox', { name: 'Name' }).fill('AURORA PUMPS')
  const warning = page.getByRole('dialog').getByRole('status')
  await warning.getByRole('link', { name: 'Aurora Pumps', exact: true }).waitFor()
  await review('warning')
  await click('Discard')

  await follow('Duplicates')
  const pair = page.getByRole('listitem', { name: 'Aurora Pumps and Aurora Pumps AS' })
  await pair.getByText('Same domain').waitFor()
  await review('duplicates')
  await pair.getByRole('button', { name: /^Not the same/ }).click()
  await page.getByRole('heading', { name: 'No duplicates found' }).waitFor()
  await page.getByText('Dismissed', { exact: true }).click()
  await pair.getByRole('button', { name: /^Reopen/ }).click()
  await page.getByText('Open', { exact: true }).click()
  await pair.getByRole('button', { name: /^Merge/ }).click()

  const city = page.getByRole('group', { name: 'HQ city' })
  await city.getByRole('radio', { name: 'Oslo', checked: true }).focus()
  await page.keyboard.press('ArrowRight')
  await city.getByRole('radio', { name: 'Bergen', checked: true }).waitFor()
  await page.getByText(/Also moves: 1 deal and 2 activity records/).waitFor()
  await review('merge')
  await city.getByRole('radio', { name: 'Bergen' }).focus()
  await page.keyboard.press('Enter')
  const merged = notice('1 company merged into Aurora Pumps.')
  await merged.waitFor()
  const detail = await read(`/api/companies/${kept}`)
  assert.deepEqual(
    [detail.company.name, detail.company.hq_city, detail.deals.length],
    ['Aurora Pumps', 'Bergen', 1],
  )
  await page.goto(`${url}/companies/${other}`)
  await page.waitForURL(`${url}/companies/${kept}`)
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('tabpanel').getByText('merge').first().waitFor()
  await follow('Activity')
  await page
    .getByRole('link', { name: /View this action/ })
    .first()
    .click()
  await click('Undo')
  await confirm('Undo')
  await notice(/undone/).waitFor()
  assert.equal((await read(`/api/companies/${other}`)).deals.length, 1)
  opened.check()
})

test('a member can neither delete nor undo the actions of others', { skip }, async () => {
  const made = await call('POST', '/api/companies', { name: 'Not Yours' })
  await userWithRole(api, member, 'member')
  const tab = await signedIn(member)
  await tab.page.goto(`${url}/companies/${made.body.data.id}`)
  await tab.page.getByRole('button', { name: 'Run AI' }).waitFor()
  await tab.page.getByRole('button', { name: 'More actions' }).click()
  await tab.page.getByRole('menuitem', { name: 'Possible duplicates' }).waitFor()
  assert.equal(await tab.page.getByRole('menuitem', { name: 'Delete company' }).count(), 0)
  await tab.page.goto(`${url}/activity/actions/${made.headers['x-action-id']}`)
  await tab.page.getByText(/Admin added/).waitFor()
  assert.equal(await tab.page.getByRole('button', { name: 'Undo' }).count(), 0)
  tab.check()
  await tab.close()
})
