/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '#src/testing/eventually.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()
let folder: string
before(async () => {
  if (skip) return
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-files-'))
})
after(async () => {
  if (folder) await rm(folder, { recursive: true })
})

test('a CSV file is uploaded, its columns are matched, and its companies are imported', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const file = path.join(folder, 'firms.csv')
  const rows = [
    'Firm;Web;Staff;Notes',
    'Zebra Looms;https://zebra-looms.example;40;weaves',
    'Quartz Ovens;htp://x;7;bakes',
  ]
  await writeFile(file, `${rows.join('\n')}\n`)
  await page.goto(`${demo.url}/companies/import`)
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).waitFor()
  const notes = page.getByRole('combobox', { name: 'Field for column Notes' })
  await notes.selectOption('Description')
  await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).click()
  await page.getByText('firms.csv was imported.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('tab', { name: 'Cells to check' }).click()
  await page.getByRole('button', { name: 'Download list' }).click()
  const report = await readFile(await (await download).path(), 'utf8')
  assert.match(report, /htp:\/\/x/)
  await page.getByRole('link', { name: 'View companies' }).click()
  await page.getByRole('link', { name: 'Zebra Looms' }).waitFor()
  const { data } = await demo.api.listCompanies({ querystring: { search: 'Zebra Looms' } })
  assert.equal(data[0]?.activity_description, 'weaves')
  check()
  await close()
})

test('companies are found by keyword and by semantic search, and the address says which', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies`)
  await page.locator('tbody tr').nth(5).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('robot')
  await page.waitForURL(/q=robot/)
  await page.locator('tbody mark').first().waitFor()
  // Rows that match the first letters may come before.
  await requestsEnded(page)
  for (const marked of await page.locator('tbody mark').allInnerTexts()) assert.match(marked, /robot/i)
  // The demo of the tests runs without a model, and does not claim otherwise.
  await page.getByText('Best match', { exact: true }).click()
  await page.waitForURL(/by=semantic/)
  await page.getByRole('columnheader', { name: 'Similarity' }).waitFor()
  await page.getByText('Ranked by words. No embedding model is available.').waitFor()
  await page.goBack()
  await page.getByRole('columnheader', { name: 'Similarity' }).waitFor({ state: 'hidden' })
  check()
  await close()
})

test('selected companies are scored, and the page follows the bulk action until it completes', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?country_code=DE`)
  await page.locator('tbody tr').nth(3).waitFor()
  const { pagination } = await demo.api.listCompanies({ querystring: { country_code: 'DE', limit: 1 } })
  const primary = page.locator('main .mantine-Button-root:is(:not([data-variant]), [data-variant=filled])')
  assert.deepEqual(await primary.allInnerTexts(), ['New company'])
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: 'Run AI' }).waitFor()
  assert.deepEqual(await primary.allInnerTexts(), ['Run AI'])
  await page.getByRole('button', { name: 'Run AI' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^Scoring/ }).click()
  await dialog.getByRole('button', { name: /^Run on/ }).click()
  await page.waitForURL(/\/bulk-actions\/ba_/)
  // The list of processed companies is headed "Completed" from the first one on.
  await page.getByText('Duration', { exact: true }).waitFor()
  await page.getByText('Completed').first().waitFor()
  const id = new URL(page.url()).pathname.split('/').pop() as string
  const { data } = await demo.api.getBulkAction({ params: { id } })
  assert.equal(data.processed_companies, Math.min(50, pagination.total))
  check()
  await close()
})

test('before the start, the dialog says that rules do the work, or that the action will wait', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const waiting_for = 'No language model is set. Set LLM=openai-compatible and restart the service.'
  await page.route('**/api/bulk-actions/readiness', async (route) => {
    const body = await (await route.fetch()).json()
    body.data.enrich_profile = { model: null, waiting_for }
    await route.fulfill({ json: body })
  })
  await page.goto(`${demo.url}/companies?country_code=DE`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: 'Run AI' }).click()
  const dialog = page.getByRole('dialog')
  const byRules = dialog.getByText(/Simple rules do the work/)
  const willWait = dialog.getByRole('status').filter({ hasText: 'This action will wait' })
  await dialog.getByRole('radio', { name: /^Scoring/ }).click()
  await byRules.waitFor()
  await dialog.getByRole('radio', { name: /^Profile enrichment/ }).click()
  await willWait.getByText(waiting_for).waitFor()
  assert.equal(await byRules.count(), 0)
  await dialog.getByRole('radio', { name: /^Search indexing/ }).click()
  await willWait.waitFor({ state: 'detached' })
  assert.ok(await dialog.getByRole('button', { name: /^Run on/ }).isEnabled())
  check()
  await close()
})

test('a deal is dragged to another stage with the mouse and the keyboard', { skip }, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1800, height: 1000 } })
  const deals = (await demo.api.listDeals({ querystring: { stage: 'initial', status: 'active' } })).data
  const [first, second] = deals
  assert.ok(first && second)
  await page.goto(`${demo.url}/pipeline`)
  const stageOf = async (id: string) =>
    (await demo.api.listDeals()).data.find((deal) => deal.id === id)?.stage
  const handle = (name: string) =>
    page.getByRole('button', { name: `Drag deal with ${name} to another stage` })

  await handle(first.company_name).hover()
  await page.mouse.down()
  const target = page.getByRole('region', { name: /^Meeting/ })
  const box = (await target.boundingBox()) as { x: number; y: number; width: number; height: number }
  await page.mouse.move(box.x + box.width / 2, box.y + 120, { steps: 12 })
  await page.locator('[data-stage=meeting][data-over]').waitFor()
  await page.mouse.up()
  await page.getByText(`${first.company_name} moved to Meeting.`).first().waitFor()
  assert.equal(await stageOf(first.id), 'meeting')

  await handle(second.company_name).focus()
  await page.keyboard.press('Space')
  await page
    .getByText(new RegExp(`Picked up deal with ${second.company_name}`))
    .waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await page.locator('[data-stage=meeting][data-over]').waitFor()
  await page.keyboard.press('Space')
  await page.getByText(`${second.company_name} moved to Meeting.`).first().waitFor()
  assert.equal(await stageOf(second.id), 'meeting')
  await page.waitForFunction(
    (label) => document.activeElement?.getAttribute('aria-label') === label,
    `Drag deal with ${second.company_name} to another stage`,
  )
  check()
  await close()
})

test('a company is edited in place, and its activity shows the change', { skip }, async () => {
  const { page, check, close } = await openPage()
  const company = (await demo.api.listCompanies({ querystring: { limit: 1, sort: 'name' } })).data[0]
  assert.ok(company)
  await page.goto(`${demo.url}/companies/${company.id}`)
  await page.getByRole('button', { name: /^Edit HQ city/ }).click()
  await page.getByRole('textbox', { name: 'HQ city', exact: true }).fill('Trondheim')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'HQ city', exact: true }).waitFor({ state: 'hidden' })
  await eventually(async () => {
    const { data } = await demo.api.getCompany({ params: { id: company.id } })
    assert.equal(data.company.hq_city, 'Trondheim')
  })
  await page.goto(`${demo.url}/activity?entity_id=${company.id}`)
  await page.getByRole('link', { name: company.name }).first().waitFor()
  check()
  await close()
})

test('feedback is sent with the page, and its issue can be opened', { skip }, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/theses`)
  await page.getByRole('button', { name: 'Feedback' }).click()
  await page.getByRole('textbox', { name: 'Subject' }).fill('More theses, please')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Thank you. Your feedback was filed.').waitFor()
  const { data } = await demo.api.listFeedback()
  assert.deepEqual(
    data.map(({ title, page, user_email }) => ({ title, page, user_email })),
    [{ title: 'More theses, please', page: '/theses', user_email: 'ada@example.com' }],
  )
  const href = await page.getByRole('link', { name: new RegExp(data[0]?.id ?? '') }).getAttribute('href')
  assert.match(href ?? '', /\/api\/feedback\/fb_/)
  check()
  await close()
})
