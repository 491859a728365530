import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Stage } from './layer-run.ts'
import { click, press, select } from './open-layers.ts'

const FILE = {
  name: 'firms.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('Firm;Web\nZebra Looms;https://zebra-looms.example\n'),
}

/** Follows a link of the navigation. */
const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }).click()

/** Changes a view that someone else saves first. */
export async function saveTooLate(page: Page, _layer: Locator, { api, ids }: Stage): Promise<void> {
  await page.locator('th[data-field=llm_score_overall] button').first().click()
  await page.waitForURL(/sort=/)
  const filter = { field: 'status', op: 'eq', value: 'active' } as const
  await api.updateView({
    params: { id: ids.contested ?? '' },
    body: { filter },
    headers: { 'if-match': '*' },
  })
  await click('Save')(page)
}

/** Changes all matching companies after one more has been added. */
export async function changeTooMany(page: Page, _layer: Locator, { api }: Stage): Promise<void> {
  await select(page)
  await click(/^Select all \d+ matching companies$/)(page)
  const choice = page.getByRole('dialog', { name: /^Change status of / })
  await press('s')(page, choice)
  await choice.getByRole('option', { name: /^Inactive/ }).waitFor()
  await api.createCompany({ body: { name: 'Late Looms' } })
  await choice.getByRole('option', { name: /^Inactive/ }).click()
}

/** Goes to another screen during an import, which the service does not answer. */
export async function leaveImport(page: Page): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(FILE)
  const start = page.getByRole('button', { name: /^Import \d+ row/ })
  await start.waitFor()
  await page.route('**/api/companies/import**', () => {})
  await start.click()
  await page.getByRole('heading', { name: 'Importing' }).waitFor()
  await follow(page, 'Home')
}

/** Stops the import. */
export async function stopImport(page: Page): Promise<void> {
  await page.unroute('**/api/companies/import**')
  await click('Stop')(page)
}

async function changeReport(page: Page): Promise<void> {
  await click('Edit')(page)
  await page.getByRole('textbox', { name: 'Title' }).fill('Another title')
}

/** Goes to another screen with an unsaved report. */
export async function leaveReport(page: Page): Promise<void> {
  await changeReport(page)
  await follow(page, 'Home')
}

/** Saves a report that someone else has saved. */
export async function saveReportTooLate(page: Page, _layer: Locator, { api, ids }: Stage): Promise<void> {
  await changeReport(page)
  await api.updateThesis({ params: { id: ids.thesis ?? '' }, body: { title: 'Title of someone else' } })
  await click('Save')(page)
}

/** Discards the changes of a report. */
export async function discardReport(page: Page): Promise<void> {
  await click('Cancel')(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
}

/** Creates a second deal with a company, which asks first. */
export async function createSecondDeal(page: Page, layer: Locator): Promise<void> {
  await press('d')(page, layer)
  await layer.getByRole('button', { name: 'Create deal' }).click()
  await layer.getByRole('alert').waitFor()
}

/** Enters the name of a company that exists. */
export async function enterKnownName(page: Page, layer: Locator): Promise<void> {
  await press('c')(page, layer)
  await layer.getByRole('textbox', { name: 'Name' }).fill('Twin Looms')
  await layer.getByRole('link', { name: 'Twin Looms' }).first().waitFor()
}

/** Confirms a question, and the service rejects the request. */
export async function confirmRejected(page: Page, layer: Locator): Promise<void> {
  await click(/^Options for the view /, 'Delete…')(page)
  await page.route('**/api/views/*', (route) =>
    route.fulfill({ status: 503, json: { error: 'Service Unavailable', details: 'Refused by the test.' } }),
  )
  await layer.getByRole('button', { name: /^Delete/ }).click()
  await layer.getByText('Refused by the test.').waitFor()
  await page.unroute('**/api/views/*')
}

/** Sends feedback without a subject, or with one. */
export const sendFeedback = (subject: string) => async (page: Page, layer: Locator) => {
  await click('Feedback')(page)
  await layer.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await layer.getByRole('button', { name: 'Send' }).click()
  await layer.getByText(subject ? /^Thank you/ : 'Enter a subject.').waitFor()
}

/** Deletes a deal in its panel. */
export async function deleteInPanel(page: Page): Promise<void> {
  const panel = page.getByRole('dialog', { name: /^Deal with / })
  await panel.getByRole('button', { name: 'Delete deal' }).click()
}

/** Closes the question. The panel stays. */
export async function returnToPanel(page: Page, layer: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await layer.waitFor({ state: 'hidden' })
  assert.ok(await page.getByRole('dialog', { name: /^Deal with / }).isVisible(), 'The panel has closed.')
}
