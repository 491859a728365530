/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { builtWebApp } from '#src/platform/http/web-app.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { ada } from '#src/testing/settings.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { countsOf, openPage, requestsEnded, skip, withBrowser } from './browser.ts'
import { buildWebApp } from './demo.ts'

const DAY_MS = 86_400_000
const BEN = 'ben@example.com'
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

let api: TestApp
let url: string
before(async () => {
  if (skip) return
  buildWebApp()
  const port = await freePort()
  url = `http://localhost:${port}`
  api = await testApp({ PUBLIC_URL: url, TIME_ZONE: 'UTC' }, { webFolder: builtWebApp() })
  await api.app.listen({ port, host: 'localhost' })
  for (const email of [ada, BEN]) await api.call('GET', `/api/users/${email}`)
})
withBrowser()
after(() => api?.close())

const send = async (method: 'POST' | 'PATCH' | 'PUT', path: string, body?: object, email = ada) => {
  const answer = await api.call(method, path, body, { headers: { 'x-user-email': email } })
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body.data
}
const post = (path: string, body: object, email = ada) => send('POST', path, body, email)
const newCompany = async (name: string): Promise<string> => (await post('/api/companies', { name })).id
const preferencesOf = async (email: string) =>
  (await api.call('GET', `/api/users/${email}`)).body.data.preferences

const panel = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
async function openHome(options: Parameters<typeof openPage>[0] = {}) {
  const opened = await openPage({ timezoneId: 'UTC', ...options })
  await opened.page.goto(`${url}/home`)
  await opened.page.locator('main h1').waitFor()
  return opened
}

test('an empty workspace offers an import, a thesis, and colleagues, and nothing else', {
  skip,
}, async () => {
  const { page, check, close } = await openHome()
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'Start with your companies' }).waitFor()
  assert.deepEqual(
    await main.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ['/companies/import', '/theses', '/admin/users'],
  )
  await assertAccessible(page, 'an empty Home')
  check()
  await close()
})

test('due tasks are finished and opened again with the checkbox, and new ones appear', { skip }, async () => {
  const about = [{ type: 'company', id: await newCompany('Nordlys Robotics') }]
  const { page, check, close } = await openHome()
  const tasks = panel(page, 'To do')
  await tasks.getByText('Nothing due.').waitFor()
  const late = await post('/api/tasks', { title: 'Send the term sheet', due_on: dayIn(-2), about })
  await post('/api/tasks', { title: 'Call the founders', due_on: dayIn(0) })
  await post('/api/tasks', { title: 'Later', due_on: dayIn(2) })
  await post('/api/tasks', { title: 'Of Ben', due_on: dayIn(-1), assignee_email: BEN })
  const rows = tasks.locator('[data-task]')
  await rows.nth(1).waitFor()
  assert.match((await rows.allInnerTexts()).join('|'), /^Send the term sheet.*\|Call the founders[^|]*$/s)
  await rows.first().getByText('Overdue').waitFor()
  await rows.first().getByRole('link', { name: 'Nordlys Robotics' }).waitFor()
  await assertAccessible(page, 'Home with tasks')

  const doneAt = async () => (await api.call('GET', `/api/tasks/${late.id}`)).body.data.done_at
  const checkbox = rows.first().getByRole('checkbox')
  await checkbox.focus()
  await page.keyboard.press('Space')
  await eventually(async () => assert.notEqual(await doneAt(), null))
  assert.equal(await checkbox.getAttribute('aria-checked'), 'true')
  await checkbox.click()
  await eventually(async () => assert.equal(await doneAt(), null))
  await rows.first().getByRole('button', { name: 'Send the term sheet' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Task' }).waitFor()
  check()
  await close()
})

test('my deals show their stage, how long they are in it, and the next step', { skip }, async () => {
  const deal = async (name: string, fields: object) =>
    (await post('/api/dealflow', { company_id: await newCompany(name), ...fields })).id
  const early = await deal('Early Looms', { stage: 'meeting', owner_email: ada, amount_eur: 1_000_000 })
  await deal('Late Looms', {
    ...{ stage: 'term_sheet', owner_email: ada, amount_eur: 500_000, probability: 50 },
  })
  await deal('Looms of Ben', { stage: 'term_sheet', owner_email: BEN })
  await deal('Won Looms', { stage: 'closed_won', status: 'won', owner_email: ada })
  const about = [{ type: 'deal', id: early }]
  await post('/api/tasks', { title: 'Ask for references', due_on: dayIn(30), about })
  const { page, check, close } = await openHome()
  const rows = panel(page, 'My deals').getByRole('listitem')
  await rows.nth(1).waitFor()
  const texts = (await rows.allInnerTexts()).map((text) => text.split('\n').map((part) => part.trim()))
  assert.deepEqual(texts[0], ['Late Looms', 'Term sheet', '0 days', 'No next step'])
  assert.deepEqual(texts[1]?.slice(0, 3), ['Early Looms', 'Meeting', '0 days'])
  assert.match(texts[1]?.[3] ?? '', / · Ask for references$/)
  assert.equal(texts.length, 2)

  const pipeline = panel(page, 'Pipeline')
  const { data } = (await api.call('GET', '/api/stats/pipeline')).body
  assert.equal(data.deals, 3)
  await pipeline.getByText(`Amount × probability of ${data.deals} deals`).waitFor()
  await pipeline.getByText('This week: 3 new and 1 won').waitFor()
  await pipeline.getByRole('link', { name: '1 deal without an amount' }).click()
  await page.getByRole('link', { name: 'Looms of Ben' }).waitFor()
  assert.equal(await page.getByRole('table').locator('tbody tr').count(), 1)
  check()
  await close()
})

test('Home shows what others have changed since the last day with a visit', { skip }, async () => {
  const company = await newCompany('Changed Looms')
  await send('PATCH', `/api/companies/${company}`, { hq_city: 'Oslo' }, BEN)
  await send('PATCH', `/api/companies/${company}`, { hq_city: 'Bergen' }, BEN)
  await newCompany('Looms of my own')
  const last = { day: dayIn(-3), at: new Date(Date.now() - 3 * DAY_MS).toISOString(), since: null }
  await send('PATCH', `/api/users/${ada}`, { preferences: { last_home: last } })
  const weekday = new Date(last.at).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
  const { page, check, close } = await openHome()
  const changes = panel(page, `Since ${weekday}`)
  const row = changes.getByRole('listitem').filter({ hasText: 'Changed Looms' })
  await row.getByText('and 1 earlier change').waitFor()
  assert.equal(await row.count(), 1)
  assert.equal(await changes.getByText('Looms of my own').count(), 0)
  await eventually(async () => {
    const { day, since } = (await preferencesOf(ada)).last_home
    assert.deepEqual([day, since], [dayIn(0), last.at])
  })
  await page.reload()
  await changes.waitFor()
  check()
  await close()
})

test('panels appear together, so that none is pushed down while others load', { skip }, async () => {
  const { page, check, close } = await openPage({ timezoneId: 'UTC', viewport: { width: 1280, height: 900 } })
  const counts = await countsOf(page, 'main section')
  await page.goto(`${url}/home`)
  await panel(page, 'My deals').waitFor()
  await requestsEnded(page)
  await screenLoaded(page)
  // What comes later, such as matches, is below everything else.
  const [none, first = 0] = (await counts()).sort((one, other) => one - other)
  assert.equal(none, 0)
  assert.ok(first >= 3, `${first}`)
  const left = await panel(page, 'My deals').boundingBox()
  const right = await panel(page, 'Pipeline').boundingBox()
  assert.ok(left && right && right.x > left.x + left.width, 'two columns')
  await page.setViewportSize({ width: 390, height: 844 })
  await eventually(async () => {
    const box = await panel(page, 'Pipeline').boundingBox()
    assert.ok(box && box.x < 40 && box.width <= 390, 'one column')
  })
  check()
  await close()
})

test('a panel that cannot be loaded says why, and the others are shown', { skip }, async () => {
  const { page, close } = await openPage({ timezoneId: 'UTC' })
  await page.route('**/api/stats/pipeline', (route) =>
    route.fulfill({ status: 400, json: { error: 'Bad request', details: 'The pipeline is out of order.' } }),
  )
  await page.goto(`${url}/home`)
  await panel(page, 'Pipeline').getByRole('alert').getByText('The pipeline is out of order.').waitFor()
  await panel(page, 'My deals').waitFor()
  await close()
})
