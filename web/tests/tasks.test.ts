/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createClient } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { hasFocus, openPage, pressQuickly, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

const me = async () => (await demo.api.getCurrentUser()).data.email
const newDeal = async (name: string) => {
  const { data: company } = await demo.api.createCompany({ body: { name } })
  return (await demo.api.createDeal({ body: { company_id: company.id, stage: 'meeting', source: name } }))
    .data
}
const newTask = async (title: string, fields: object = {}) =>
  (await demo.api.createTask({ body: { title, ...fields } })).data
const read = async (id: string) => (await demo.api.getTask({ params: { id } })).data
const tasksAbout = async (about: string, done = false) =>
  (await demo.api.listTasks({ querystring: { about: [about], done } })).data
const boardOf = (source: string) =>
  `${demo.url}/pipeline?filter=${encodeURIComponent(JSON.stringify({ field: 'source', op: 'eq', value: source }))}`
const row = (page: Page, title: string) => page.locator('li[data-task]', { hasText: title })
const link = (page: Page, title: string) => row(page, title).locator('a[data-record]')
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** The day some days from today, as the browser and the service of the tests know it. */
const dayFromToday = (days: number): string => {
  const day = new Date(Date.now() + days * 86_400_000)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

test('a next step is set with keys, shows on the board and in the tasks, and is finished with one key', {
  skip,
}, async () => {
  const deal = await newDeal('Stepwise Looms')
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/deals/${deal.id}`)
  await page.getByRole('button', { name: 'Add next step' }).waitFor()
  await page.keyboard.press('T')
  const dialog = dialogOf(page, 'New task')
  await hasFocus(dialog.getByLabel('Task', { exact: true }))
  await page.keyboard.type('Call Ingrid')
  await page.keyboard.press('Tab')
  await page.keyboard.type('in 2 weeks')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  const [task] = await tasksAbout(deal.id)
  assert.deepEqual(
    [task?.title, task?.due_on, task?.assignee_email, task?.about.map(({ id }) => id)],
    ['Call Ingrid', dayFromToday(14), await me(), [deal.id]],
  )
  // The header of the deal.
  await page.locator('main').getByRole('button', { name: 'Call Ingrid', exact: true }).waitFor()

  await page.goto(boardOf('Stepwise Looms'))
  const card = page.locator('article', { hasText: 'Stepwise Looms' })
  await card.getByText('Next step:').waitFor()
  await card.getByText('· Call Ingrid').waitFor()
  await pressQuickly(page, 'g', 'k')
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  await page.getByRole('region', { name: 'Later' }).getByText('Call Ingrid').waitFor()

  await page.goto(`${demo.url}/tasks?about=${deal.id}`)
  await hasFocus(link(page, 'Call Ingrid'))
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  assert.equal(await help.locator('dd').filter({ hasText: /^c$/ }).count(), 1, 'one action for c')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('e')
  await page.getByText('Finished “Call Ingrid”.').waitFor()
  assert.equal(await row(page, 'Call Ingrid').getByRole('checkbox', { checked: true }).count(), 1)
  await page.getByRole('region', { name: 'Later' }).getByText('0', { exact: true }).waitFor()
  assert.equal((await read(task?.id ?? '')).done_by, await me())
  await page.keyboard.press('z')
  await row(page, 'Call Ingrid').getByRole('checkbox', { name: 'Finish: Call Ingrid' }).waitFor()
  assert.equal((await read(task?.id ?? '')).done_at, null)
  await hasFocus(link(page, 'Call Ingrid'))
  await page.keyboard.press('Enter')
  await page.waitForURL(`${demo.url}/deals/${deal.id}`)
  await check()
  await close()
})

test('tasks are selected, postponed, reassigned, and deleted with keys', { skip }, async () => {
  const about = [{ type: 'deal' as const, id: (await newDeal('Bulk Looms')).id }]
  const [id] = about.map((entry) => entry.id)
  const overdue = await newTask('Late one', { due_on: dayFromToday(-3), about })
  const later = await newTask('Later one', { due_on: dayFromToday(20), about })
  await newTask('Third one', { due_on: dayFromToday(30), about })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/tasks?about=${id}`)
  await page.getByRole('region', { name: 'Overdue' }).waitFor()
  await hasFocus(link(page, 'Late one'))
  for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
  const bar = page.getByRole('region', { name: 'Selected tasks' })
  await bar.getByText('2 selected').waitFor()
  await assertAccessible(page, 'selected tasks')
  await page.keyboard.press('b')
  const postpone = dialogOf(page, 'Postpone 2 tasks')
  await postpone.getByRole('button', { name: 'By 1 week' }).click()
  await postpone.waitFor({ state: 'detached' })
  await page.getByText('2 tasks updated.').waitFor()
  assert.equal((await read(overdue.id)).due_on, dayFromToday(7))
  assert.equal((await read(later.id)).due_on, dayFromToday(27))
  await bar.waitFor({ state: 'detached' })
  // The focus is still in the list.
  await page.locator('li[data-task] a:focus').waitFor()
  await page.keyboard.press('z')
  await eventually(async () => assert.equal((await read(later.id)).due_on, dayFromToday(20)))
  await demo.api.updateTasks({ body: { ids: [later.id], changes: { postpone_days: 7 } } })

  await row(page, 'Later one').getByText('Today').waitFor({ state: 'detached' })
  await link(page, 'Later one').focus()
  await page.keyboard.press('b')
  const one = dialogOf(page, 'Postpone “Later one”')
  await hasFocus(one.getByLabel('New date'))
  await page.keyboard.type('in 40 days')
  await page.keyboard.press('Enter')
  await one.waitFor({ state: 'detached' })
  assert.equal((await read(later.id)).due_on, dayFromToday(40))

  await row(page, 'Later one').locator('input[data-select]').check()
  await row(page, 'Third one').locator('input[data-select]').check()
  await page.keyboard.press('o')
  await dialogOf(page, 'Reassign 2 tasks').getByRole('combobox').fill('ben')
  await page.keyboard.press('Enter')
  await row(page, 'Later one').waitFor({ state: 'detached' })
  assert.equal((await read(later.id)).assignee_email, 'ben@example.com')

  await page.getByText('Everyone’s', { exact: true }).click()
  await page.getByRole('combobox', { name: 'About' }).fill('Bulk Looms')
  await page.getByRole('option', { name: 'Deal with Bulk Looms' }).click()
  await row(page, 'Third one').waitFor()
  for (const title of ['Later one', 'Third one']) await row(page, title).locator('input[data-select]').check()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await dialogOf(page, 'Delete 2 tasks?').getByRole('button', { name: 'Delete 2 tasks' }).click()
  await page.getByText('2 tasks moved to the trash.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'Third one').waitFor()
  assert.equal((await tasksAbout(id ?? '')).length, 3)
  await check()
  await close()
})

test('a task that cannot be saved stays in its dialog, and a draft survives a reload', {
  skip,
}, async () => {
  const { page, close } = await openPage()
  await page.goto(`${demo.url}/tasks`)
  await screenLoaded(page)
  await page.keyboard.press('c')
  const dialog = dialogOf(page, 'New task')
  await dialog.getByRole('button', { name: 'Save task' }).click()
  await dialog.getByText('Enter what needs to be done.').waitFor()
  await dialog.getByLabel('Task', { exact: true }).fill('Weekly call')
  await dialog.getByLabel('Repeat').selectOption('Weekly')
  await dialog.getByRole('button', { name: 'Save task' }).click()
  await dialog.getByText('A task that repeats needs a date.').waitFor()
  await dialog.getByLabel('Due', { exact: true }).fill('someday')
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('“someday” is not a date.').waitFor()
  await dialog.getByLabel('Due', { exact: true }).fill('tomorrow')
  await page.keyboard.press('Tab')
  await assertAccessible(page, 'the dialog of a task')
  await page.keyboard.press('Escape')
  await page.reload()
  await screenLoaded(page)
  await page.keyboard.press('T')
  assert.equal(await dialog.getByLabel('Task', { exact: true }).inputValue(), 'Weekly call')
  await page.route('**/api/tasks', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { error: 'Invalid', details: 'Not today.' } })
      : route.continue(),
  )
  await dialog.getByRole('button', { name: 'Save task' }).click()
  await dialog.getByText('Not today.').waitFor()
  assert.equal(await dialog.getByLabel('Task', { exact: true }).inputValue(), 'Weekly call')
  await page.unroute('**/api/tasks')
  await dialog.getByRole('button', { name: 'Save task' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row(page, 'Weekly call').waitFor()
  await row(page, 'Weekly call').getByRole('checkbox', { name: 'Finish: Weekly call' }).click()
  await page.getByText(/^Finished “Weekly call”\. The next one is due \w+ \d+, \d{4}/).waitFor()
  await eventually(async () => assert.equal(await row(page, 'Weekly call').count(), 2))
  await close()
})

test('two people who change the same task see both versions, and changes arrive live', { skip }, async () => {
  const task = await newTask('Shared task', { due_on: dayFromToday(3) })
  const ben = createClient({ baseUrl: demo.url, headers: { 'x-user-email': 'ben@example.com' } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/tasks?task=${task.id}`)
  const dialog = dialogOf(page, 'Edit task')
  const title = dialog.getByLabel('Task', { exact: true })
  await title.fill('My title')
  await ben.updateTask({ params: { id: task.id }, body: { title: 'Ben’s title' } })
  await dialog.getByRole('button', { name: 'Save task' }).click()
  await dialog.getByText('Someone else changed this task').waitFor()
  await dialog.getByRole('button', { name: 'Use theirs' }).click()
  assert.equal(await title.inputValue(), 'Ben’s title')
  await title.fill('Our title')
  await dialog.getByRole('button', { name: 'Save task' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await read(task.id)).title, 'Our title')
  await ben.updateTask({ params: { id: task.id }, body: { title: 'Seen live' } })
  await row(page, 'Seen live').waitFor()
  await check()
  await close()
})
