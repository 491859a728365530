import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { slow } from '#src/testing/slow.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

async function firm(name: string, fields: object = {}): Promise<string> {
  const { data } = await demo.api.createCompany({ body: { name, status: 'entered', ...fields } })
  return data.id
}

/** Opens the dialog that starts a scoring of all companies with the status. */
async function openDialog(page: Page) {
  const filter = JSON.stringify({ field: 'status', op: 'eq', value: 'entered' })
  await page.goto(`${demo.url}/companies?filter=${encodeURIComponent(filter)}`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: 'Run AI' }).click()
  return page.getByRole('dialog')
}

test('rules keep scores that people entered, and the result shows both scores, the largest change first', {
  skip,
}, async () => {
  const kept = await firm('Kept Firm', { llm_score_overall: 94 })
  await firm('Blank Firm')
  const { page, check, close } = await openPage()
  const dialog = await openDialog(page)
  await dialog
    .getByText(/^1 of 2 companies has a score that someone entered or imported\. The built-in rules/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Run on 2 companies' }).click()
  await page.waitForURL(/\/bulk-actions\/ba_/)
  await page.getByText('1 entered score kept').waitFor()
  const row = page.getByRole('row', { name: /Kept Firm/ })
  await row.getByText('Kept', { exact: true }).waitFor()
  await row.getByText(/^AI: \d+$/).waitFor()
  await page.getByRole('row', { name: /Blank Firm.*New$/ }).waitFor()
  const rows = await page.getByRole('row', { name: / Firm / }).allInnerTexts()
  assert.deepEqual(
    rows.map((text) => /^\w+/.exec(text)?.[0]),
    ['Blank', 'Kept'],
  )
  assert.equal((await demo.api.getCompany({ params: { id: kept } })).data.company.llm_score_overall, 94)
  check()
  await close()
})

test('with a model, the dialog asks about entered scores, and keeps them by default', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  await page.route('**/api/bulk-actions/preview', (route) =>
    route.fulfill({ json: { data: { total_companies: 2, entered_scores: 1, can_replace: true } } }),
  )
  const sent: unknown[] = []
  await page.route('**/api/bulk-actions', async (route) => {
    sent.push(route.request().postDataJSON().existing)
    await route.fulfill({ status: 400, json: { error: 'Bad Request', details: 'Not in this test.' } })
  })
  const dialog = await openDialog(page)
  const keep = dialog.getByRole('radio', { name: 'Keep' })
  await keep.waitFor()
  assert.equal(await keep.isChecked(), true)
  const run = dialog.getByRole('button', { name: 'Run on 2 companies' })
  await run.click()
  await dialog.getByText('Not in this test.').waitFor()
  await dialog.getByRole('radio', { name: 'Replace' }).check()
  await run.click()
  for (let tries = 0; sent.length < 2 && tries < 100; tries++) await page.waitForTimeout(50)
  assert.deepEqual(sent, ['keep', 'replace'])
  check()
  await close()
})

test('a stopped action shows the reason, and can be retried', { skip: skip || slow }, async () => {
  const company = await firm('Left Firm')
  const body = { action_type: 'llm_score' as const, company_ids: [company] }
  const { data } = await demo.api.createBulkAction({ body })
  const message = 'The language model rejected the text (400: Retired.). It rejects every question.'
  const stopped = { count: 1, example: { company_id: company, message } }
  const { page, check, close } = await openPage()
  await page.route(`**/api/bulk-actions/${data.id}`, (route) =>
    route.fulfill({
      json: {
        data: {
          ...data,
          ...{ status: 'failed', processed_companies: 0, failed_companies: 0, waiting_for: null },
          ...{ completed_at: data.created_at, error_summary: { stopped } },
        },
      },
    }),
  )
  await page.goto(`${demo.url}/bulk-actions/${data.id}`)
  await page.getByText(message).first().waitFor()
  await page.getByRole('button', { name: 'Retry 1 company' }).waitFor()
  check()
  await close()
})
