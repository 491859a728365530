/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()
const newCompany = async (name: string) => (await demo.api.createCompany({ body: { name } })).data
const decisionsOf = async (company_id: string) =>
  (await demo.api.listDecisions({ querystring: { company_id: [company_id] } })).data

test('a decision is asked for, voted on, taken with reasons, and due on Home', { skip }, async () => {
  const { id, name } = await newCompany('Verdict Looms')
  const ben = createClient({ baseUrl: demo.url, headers: { 'x-user-email': 'ben@example.com' } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${id}`)
  await page.getByRole('button', { name: 'Record a decision' }).waitFor()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: `Decision on ${name}` })
  await dialog.getByLabel('Your take').fill('Their **loom** is fast.')
  await page.reload()
  await page.getByRole('button', { name: 'Record a decision' }).waitFor()
  await page.keyboard.press('e')
  assert.equal(await dialog.getByLabel('Your take').inputValue(), 'Their **loom** is fast.')
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('Choose an outcome, or ask colleagues.').waitFor()
  assert.deepEqual(await decisionsOf(id), [])
  await dialog.getByText('Ask colleagues', { exact: true }).click()
  await dialog.getByLabel('Ask', { exact: true }).fill('Ben')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await assertAccessible(page, 'the dialog of a decision')
  await dialog.getByRole('button', { name: 'Ask for votes' }).click()
  await dialog.waitFor({ state: 'detached' })

  const item = page.locator('[data-decision]')
  await item.getByText('Waiting for Ben').waitFor()
  const [decision] = await decisionsOf(id)
  assert.deepEqual([decision?.outcome, decision?.asked], [null, ['ben@example.com']])
  await item.getByText('Champion', { exact: true }).click()
  await item.getByLabel('Comment').fill('I know the founder.')
  await item.getByRole('button', { name: 'Vote' }).click()
  await item.getByText('champions it: I know the founder.').waitFor()
  await ben.putVote({ params: { id: decision?.id ?? '' }, body: { vote: 'no' } })
  await item.getByText('voted no').waitFor()

  await item.getByRole('button', { name: 'Record the outcome' }).click()
  const edited = page.getByRole('dialog', { name: `Decision on ${name}` })
  await edited.getByText('Pass', { exact: true }).click()
  await edited.getByLabel('Reasons').fill('valu')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await edited.getByLabel('Decided').fill('2026-01-02 10:00')
  await edited.getByLabel('Look again on').fill('2026-02-01')
  await edited.getByRole('button', { name: 'Save decision' }).click()
  await item.getByText('decided to pass').waitFor()
  await item.getByText('Valuation').waitFor()
  const [taken] = await decisionsOf(id)
  assert.deepEqual(
    [taken?.outcome, taken?.reasons, taken?.revisit_on, taken?.votes.length],
    ['pass', ['valuation'], '2026-02-01', 2],
  )

  await page.goto(`${demo.url}/home`)
  const due = page.getByRole('region', { name: 'Due for another look' })
  await due.getByRole('link', { name }).waitFor()
  await page.goto(`${demo.url}/decisions?outcome=pass&reason=valuation&company=${id}`)
  await page.getByText('1 decision', { exact: true }).waitFor()
  await screenLoaded(page)
  await assertAccessible(page, 'decisions')
  await page.getByRole('button', { name: `Actions for the decision about ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('No matching decisions').waitFor()
  assert.deepEqual(await decisionsOf(id), [])
  await check()
  await close()
})

test('a deal that is lost offers to record the decision, and a vote waits on Home', { skip }, async () => {
  const { id, name } = await newCompany('Lost Looms')
  const deal = (await demo.api.createDeal({ body: { company_id: id, stage: 'meeting' } })).data
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/deals/${deal.id}`)
  await page.getByRole('combobox', { name: 'Stage' }).click()
  await page.getByRole('option', { name: 'Closed lost' }).click()
  const lost = page.getByRole('dialog')
  await lost.getByRole('textbox').fill('Too expensive for us.')
  await lost.getByRole('button', { name: 'Save, and record the decision' }).click()
  const dialog = page.getByRole('dialog', { name: `Decision on ${name}` })
  assert.equal(await dialog.getByLabel('Your take').inputValue(), 'Too expensive for us.')
  await dialog.getByRole('button', { name: 'In 6 months' }).click()
  await dialog.getByRole('button', { name: 'Save decision' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [decision] = await decisionsOf(id)
  assert.deepEqual([decision?.deal_id, decision?.outcome], [deal.id, 'pass'])
  assert.match(decision?.revisit_on ?? '', /^\d{4}-\d\d-\d\d$/)
  await eventually(async () => {
    const { data } = await demo.api.getDeal({ params: { id: deal.id } })
    assert.deepEqual([data.stage, data.lost_reason], ['closed_lost', 'Too expensive for us.'])
  })
  const me = (await demo.api.getCurrentUser()).data.email
  await demo.api.createDecision({ body: { company_id: id, asked: [me] } })
  await page.goto(`${demo.url}/home`)
  await page.getByRole('region', { name: 'Waiting for your vote' }).getByRole('link', { name }).waitFor()
  await check()
  await close()
})

test('reasons are renamed, added, and removed in the settings', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/settings/reasons`)
  const first = page.getByRole('textbox').first()
  await first.fill('Much too early')
  await page.keyboard.press('Enter')
  await page.keyboard.type('No exit')
  await page.getByRole('button', { name: 'Save reasons' }).click()
  await page.getByText('Reasons saved.').waitFor()
  const { reasons } = (await demo.api.getReasonConfig({})).data
  assert.deepEqual(reasons.slice(0, 2), [
    { key: 'too_early', label: 'Much too early' },
    { key: 'no_exit', label: 'No exit' },
  ])
  await assertAccessible(page, 'reasons')
  await check()
  await close()
})
