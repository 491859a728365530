/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { assertAccessible } from './axe.ts'
import { hasFocus, openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { assertReflows } from './reachable.ts'

const demo = withDemo()
const NOW = new Date('2025-12-09T12:00:00Z')
const BERLIN = { locale: 'en-US', timezoneId: 'Europe/Berlin' }

/** A company, and the dialog for a decision about it, on a Tuesday. */
async function openDecision(page: Page, name: string) {
  const { data } = await demo.api.createCompany({ body: { name } })
  await page.clock.setFixedTime(NOW)
  await page.goto(`${demo.url}/companies/${data.id}`)
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: `Decision on ${name}` })
  await dialog.getByText('Pass', { exact: true }).click()
  const decisions = async () => (await demo.api.listDecisions({ querystring: { company_id: data.id } })).data
  return { dialog, decisions, day: dialog.getByLabel('Look again on') }
}

test('a day is typed in words, refused if it is none, and chosen in the calendar, with the keyboard alone', {
  skip,
}, async () => {
  const { page, check, close } = await openPage(BERLIN)
  const { dialog, decisions, day } = await openDecision(page, 'Typed Tiles')
  await day.focus()
  await page.keyboard.type('in 2 weeks')
  await dialog.getByText('Tuesday, December 23', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await day.inputValue(), 'Dec 23, 2025')
  assert.equal((await decisions()).length, 0)

  await day.fill('banana')
  await page.keyboard.press('Enter')
  const problem = dialog.getByText('“banana” is not a date. Try 31 March')
  await problem.waitFor()
  assert.equal(await day.inputValue(), 'banana')
  assert.equal(await day.getAttribute('aria-invalid'), 'true')
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('button', { name: 'Save decision' }).click()
  await hasFocus(day)
  assert.equal((await decisions()).length, 0)
  await day.fill('1.1.2300')
  await page.keyboard.press('Tab')
  await dialog.getByText('Use a year from 1900 to 2200.').waitFor()
  await problem.waitFor({ state: 'hidden' })

  await day.fill('12/23/25')
  await page.keyboard.press('ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Calendar: Look again on' })
  const shown = (name: string) => calendar.getByRole('button', { name, exact: true })
  await hasFocus(shown('Tuesday, December 23, 2025'))
  for (const key of ['ArrowRight', 'ArrowDown', 'PageDown', 'Home']) await page.keyboard.press(key)
  await hasFocus(shown('Sunday, January 25, 2026'))
  await page.keyboard.press('Escape')
  await calendar.waitFor({ state: 'hidden' })
  await hasFocus(day)
  assert.equal(await day.inputValue(), 'Dec 23, 2025')
  await page.keyboard.press('ArrowDown')
  await hasFocus(shown('Tuesday, December 23, 2025'))
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowLeft')
  await hasFocus(shown('Saturday, November 22, 2025'))
  await page.keyboard.press('Enter')
  await hasFocus(day)
  assert.equal(await day.inputValue(), 'Nov 22, 2025')

  // Taken and saved at once. The service knows the real day of the decision.
  await day.fill('end of 2199')
  await page.keyboard.press('Enter')
  await dialog.getByText('“end of 2199” is not a date.').waitFor()
  await day.fill('31 December 2199')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'hidden' })
  await eventually(async () => assert.equal((await decisions())[0]?.revisit_on, '2199-12-31'))
  check()
  await close()
})

test('a time is typed in words or chosen in the calendar, and the empty field takes none', {
  skip,
}, async () => {
  const { page, check, close } = await openPage(BERLIN)
  const { dialog, decisions, day } = await openDecision(page, 'Timed Tiles')
  const decided = dialog.getByLabel('Decided')
  await decided.fill('Monday 3pm')
  await dialog.getByText('Monday, December 8, 3:00 PM').waitFor()
  await page.keyboard.press('ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Calendar: Decided' })
  await calendar.getByRole('button', { name: 'Wednesday, December 3, 2025' }).click()
  await hasFocus(calendar.getByLabel('Time'))
  await calendar.getByLabel('Time').fill('16:45')
  await page.keyboard.press('Enter')
  await hasFocus(decided)
  assert.match(await decided.inputValue(), /^Dec 3, 2025, 4:45\sPM$/)

  await decided.fill('')
  await page.keyboard.press('Tab')
  assert.match(await decided.inputValue(), /^Dec 3, 2025/)
  await day.fill('tomorrow')
  await page.keyboard.press('Tab')
  assert.equal(await day.inputValue(), 'Dec 10, 2025')
  await day.fill('')
  await page.keyboard.press('Tab')
  await day.fill('tomorrow')
  await dialog.getByText('Wednesday, December 10', { exact: true }).waitFor()
  await decided.fill('noon')
  // Nothing moves under the click.
  await dialog.getByRole('button', { name: 'Save decision' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const [decision] = await decisions()
  assert.deepEqual([decision?.decided_at, decision?.revisit_on], ['2025-12-09T11:00:00.000Z', '2025-12-10'])
  check()
  await close()
})

test('the calendar is accessible, in light and dark mode, and fits on a phone', { skip }, async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, check, close } = await openPage({ ...BERLIN, colorScheme })
    const { dialog } = await openDecision(page, `Accessible Arts ${colorScheme}`)
    await dialog.getByLabel('Look again on').fill('banana')
    await dialog.getByLabel('Decided').press('ArrowDown')
    const calendar = page.getByRole('dialog', { name: 'Calendar: Decided' })
    await calendar.getByRole('button', { name: 'Yesterday' }).waitFor()
    await assertAccessible(page, `calendar, ${colorScheme}`)
    if (colorScheme === 'light') await assertReflows(page, 'calendar')
    await calendar.getByRole('button', { name: /choose another month/ }).click()
    await assertAccessible(page, `months, ${colorScheme}`)
    check()
    await close()
  }
})

test('a filter takes days that move with time, and keeps what was typed when it closes', {
  skip,
}, async () => {
  const { page, check, close } = await openPage(BERLIN)
  await page.clock.setFixedTime(NOW)
  const filter = { field: 'created_at', op: 'gte', value: '2025-01-01' }
  const filterOf = () => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '{}')
  await page.goto(`${demo.url}/companies?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  await page
    .getByRole('button', { name: /^Created is on or after/ })
    .first()
    .click()
  const builder = page.getByRole('dialog', { name: 'Filter' })
  const value = builder.getByLabel('Value')
  assert.equal(await value.inputValue(), 'Jan 1, 2025')
  await value.fill('-30d')
  await builder.getByText('30 days ago, whenever the filter is used').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/-30d/)

  await builder.getByLabel('Operator').selectOption('is before')
  await builder.getByLabel('Value').fill('31 March')
  await builder.getByText('Monday, March 31', { exact: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page
    .getByRole('dialog', { name: 'Calendar: Value' })
    .getByRole('button', { name: 'Yesterday' })
    .click()
  await page.waitForURL(/2025-12-08/)
  await builder.getByLabel('Value').fill('30 March')
  await page.mouse.click(1200, 30)
  await builder.waitFor({ state: 'hidden' })
  await eventually(() => assert.deepEqual(filterOf(), { ...filter, op: 'lt', value: '2025-03-30' }))
  check()
  await close()
})

test('fields that are edited in place save a typed day with one Enter, and a chosen one on leaving', {
  skip,
}, async () => {
  const { page, check, close } = await openPage(BERLIN)
  await page.clock.setFixedTime(NOW)
  const { data: company } = await demo.api.createCompany({ body: { name: 'Edited Easels' } })
  const { data: field } = await demo.api.createField({
    body: { entity: 'company', label: 'Next audit', type: 'date' },
  })
  const nextAudit = async () =>
    (await demo.api.getCompany({ params: { id: company.id } })).data.company.custom[field.key]
  await page.goto(`${demo.url}/companies/${company.id}`)
  await page.getByRole('button', { name: 'Add property' }).click()
  await page.getByRole('menuitem', { name: 'Next audit' }).click()
  const audit = page.getByLabel('Next audit', { exact: true })
  await hasFocus(audit)
  await page.keyboard.type('banana')
  await page.keyboard.press('Enter')
  await page.getByText('“banana” is not a date.').waitFor()
  assert.equal(await audit.inputValue(), 'banana')
  await audit.fill('next Tuesday')
  await page.keyboard.press('Enter')
  await audit.waitFor({ state: 'hidden' })
  await eventually(async () => assert.equal(await nextAudit(), '2025-12-16'))

  const { data: deal } = await demo.api.createDeal({ body: { company_id: company.id, stage: 'initial' } })
  const expected = async () => (await demo.api.getDeal({ params: { id: deal.id } })).data.expected_close_on
  await page.goto(`${demo.url}/pipeline?deal=${deal.id}`)
  const panel = page.getByRole('dialog', { name: 'Deal with Edited Easels' })
  const closeOn = panel.getByLabel('Expected closing', { exact: true })
  await closeOn.fill('end of quarter')
  await page.keyboard.press('Tab')
  await eventually(async () => assert.equal(await expected(), '2025-12-31'))
  await closeOn.press('ArrowDown')
  await panel.getByRole('button', { name: 'In 2 weeks' }).click()
  await hasFocus(closeOn)
  assert.equal(await closeOn.inputValue(), 'Dec 23, 2025')
  await page.keyboard.press('Enter')
  await eventually(async () => assert.equal(await expected(), '2025-12-23'))
  await closeOn.fill('soon')
  await page.keyboard.press('Tab')
  await panel.getByText('“soon” is not a date.').waitFor()
  assert.equal(await expected(), '2025-12-23')
  await closeOn.press('Escape')
  assert.equal(await closeOn.inputValue(), 'Dec 23, 2025')
  await closeOn.fill('')
  await page.keyboard.press('Enter')
  await eventually(async () => assert.equal(await expected(), null))
  check()
  await close()
})
