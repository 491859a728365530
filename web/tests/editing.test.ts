/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { slow } from '#src/testing/slow.ts'
import { hasFocus, openPage, pressQuickly, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

/** Holds PATCH requests to an address until the returned function is called. */
async function holdChange(page: Page, address: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() === 'PATCH') await gate.promise
    await route.continue()
  })
  return gate.resolve
}

const newThesis = async (code: string) =>
  (await demo.api.createThesis({ body: { code, title: code, report_markdown: 'Old.' } })).data

async function newDeal(name: string) {
  const { data: company } = await demo.api.createCompany({ body: { name } })
  return (await demo.api.createDeal({ body: { company_id: company.id, stage: 'initial' } })).data
}

async function edit(page: Page, id: string) {
  await page.goto(`${demo.url}/theses/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  return page.getByRole('textbox', { name: 'Report' })
}

test('text typed while a thesis is being saved is kept and saved next', { skip }, async () => {
  const { page, check, close } = await openPage()
  const { id } = await newThesis('TYPED-MEANWHILE')
  const report = await edit(page, id)
  await report.fill('First.')
  const release = await holdChange(page, `**/api/theses/${id}`)
  await page.keyboard.press('Control+s')
  await report.fill('First. Second.')
  release()
  await page.getByText(/^Thesis .* saved\./).waitFor()
  // The notice may appear before the editor knows, and a second save would then do nothing.
  await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor()
  assert.equal(await report.inputValue(), 'First. Second.')
  await page.keyboard.press('Control+s')
  await report.waitFor({ state: 'hidden' })
  assert.equal((await demo.api.getThesis({ params: { id } })).data.report_markdown, 'First. Second.')
  check()
  await close()
})

test('a thesis saved after its editor was closed has no unsaved changes', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  const { id } = await newThesis('LEFT-EARLY')
  const report = await edit(page, id)
  await report.fill('Written before leaving.')
  const release = await holdChange(page, `**/api/theses/${id}`)
  await page.keyboard.press('Control+s')
  await page.getByRole('link', { name: 'Theses', exact: true }).first().click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('button', { name: 'New thesis' }).waitFor()
  release()
  await page.getByText(/^Thesis .* saved\./).waitFor()
  await page.getByRole('link', { name: 'LEFT-EARLY' }).click()
  await page.getByText('Written before leaving.', { exact: true }).waitFor()
  assert.equal(await page.getByText('Unsaved changes').count(), 0)
  check()
  await close()
})

test('after using someone else’s version of a thesis, no error remains', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  const { id } = await newThesis('TAKE-THEIRS')
  const report = await edit(page, id)
  await report.fill('Mine.')
  await demo.api.updateThesis({ params: { id }, body: { report_markdown: 'Theirs.' } })
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await page.getByRole('button', { name: 'Back to my version' }).waitFor()
  assert.equal(await report.inputValue(), 'Theirs.')
  await requestsEnded(page)
  assert.equal(await page.getByRole('alert').count(), 0)
  check()
  await close()
})

test('the list of theses accepts a numeric status', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/theses?status=1`)
  await page.getByText('No theses with the status “1”').waitFor()
  check()
  await close()
})

test('many key presses save the probability once, and the stage field keeps the focus', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  const { id } = await newDeal('By Keyboard')
  const changes: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') changes.push(request.postDataJSON())
  })
  await page.goto(`${demo.url}/pipeline?deal=${id}`)
  const slider = page.getByRole('slider', { name: 'Probability' })
  const isSaved = () => page.waitForResponse((response) => response.request().method() === 'PATCH')
  const first = isSaved()
  // In a single call, so that even a slow machine presses faster than the field saves.
  await slider.evaluate(async (element) => {
    for (let presses = 0; presses < 8; presses++) {
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
      await new Promise((resolve) => setTimeout(resolve))
    }
  })
  await first
  const second = isSaved()
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await second
  assert.deepEqual(changes, [{ probability: 40 }, { probability: 45 }])

  const stage = page.getByRole('combobox', { name: 'Stage' })
  await stage.fill('Due')
  const due = page.getByRole('option', { name: 'Due diligence' })
  await due.and(page.locator('[data-combobox-selected]')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('By Keyboard moved to').waitFor()
  assert.equal(await stage.inputValue(), 'Due diligence')
  await hasFocus(stage)
  check()
  await close()
})

test('a deal moves even if someone edited its notes, but not if they changed its stage', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  const { id, company_id } = await newDeal('Moved By Two')
  const read = async () => {
    const { data } = await demo.api.listDeals({ querystring: { company_id } })
    return [data[0]?.stage, data[0]?.notes]
  }
  const moveTo = async (stage: string) => {
    await page.getByRole('button', { name: 'Actions for deal with Moved By Two' }).click()
    await page.getByRole('menuitem', { name: stage }).click()
  }
  // A tab that follows the changes would know the new stage.
  await page.route('**/api/events', (route) => route.abort())
  await page.goto(`${demo.url}/pipeline`)
  await page.getByText('Moved By Two').first().waitFor()
  await demo.api.updateDeal({ params: { id }, body: { notes: 'By someone else' } })
  await moveTo('Meeting')
  await page.getByText('Moved By Two moved to Meeting.').waitFor()
  assert.deepEqual(await read(), ['meeting', 'By someone else'])
  await requestsEnded(page)
  await demo.api.updateDeal({ params: { id }, body: { stage: 'negotiation' } })
  await moveTo('Due diligence')
  await page.getByText('Deal with Moved By Two was not updated').waitFor()
  assert.deepEqual(await read(), ['negotiation', 'By someone else'])
  check()
  await close()
})

test('New deal focuses its company field, and again if it is missing', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/pipeline`)
  await page.getByRole('button', { name: 'New deal' }).click()
  const dialog = page.getByRole('dialog')
  const company = dialog.getByRole('combobox', { name: 'Company' })
  await hasFocus(company)
  await dialog.getByRole('button', { name: 'Create deal' }).click()
  await dialog.getByText('Select a company.').waitFor()
  await hasFocus(company)
  assert.equal(await company.getAttribute('aria-expanded'), 'false')
  await page.keyboard.type('a')
  const first = page.getByRole('option').first()
  await first.waitFor()
  const name = (await first.locator('p').first().innerText()).trim()
  await first.click()
  assert.equal(await company.inputValue(), name)
  check()
  await close()
})

test('Cancel discards the draft of a new deal, Escape keeps it', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/pipeline`)
  const open = page.getByRole('button', { name: 'New deal' })
  const notes = page.getByRole('dialog').getByRole('textbox', { name: 'Summary' })
  await open.click()
  await notes.fill('Half a sentence')
  await page.keyboard.press('Escape')
  await notes.waitFor({ state: 'hidden' })
  await open.click()
  assert.equal(await notes.inputValue(), 'Half a sentence')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await notes.waitFor({ state: 'hidden' })
  await open.click()
  assert.equal(await notes.inputValue(), '')
  check()
  await close()
})

test('matches of a thesis are approved and rejected with keys', { skip }, async () => {
  const { data } = await demo.api.listTheses({ querystring: { code: 'WAREHOUSE-ROBOTS' } })
  const id = data[0]?.id ?? ''
  const judged = async (verdict: 'up' | 'down') =>
    (await demo.api.listThesisMatches({ params: { id }, querystring: { verdict } })).data.map(
      ({ name }) => name,
    )
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/theses/${id}?tab=matches`)
  const links = page.locator('a[data-record]')
  await links.first().waitFor()
  await page.getByText(/^\d+ matches\. Ranked by words/).waitFor()
  assert.ok((await page.locator('q').count()) > 0)
  const first = (await links.nth(0).textContent()) ?? ''
  const second = (await links.nth(1).textContent()) ?? ''
  await links.first().focus()
  await page.keyboard.press('a')
  await page.getByRole('link', { name: first, exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: second, exact: true }).focus()
  await page.keyboard.press('r')
  await page.getByRole('link', { name: second, exact: true }).waitFor({ state: 'detached' })
  assert.deepEqual([await judged('up'), await judged('down')], [[first], [second]])
  await page.getByText('Approved', { exact: true }).click()
  await page.getByRole('button', { name: `Clear the verdict on ${first}` }).click()
  await page.getByText('Nothing approved yet').waitFor()
  assert.deepEqual(await judged('up'), [])
  await page.getByText('To review', { exact: true }).click()
  await links.first().focus()
  await pressQuickly(page, 'g', 't')
  await page.waitForURL(/\/theses$/)
  check()
  await close()
})
