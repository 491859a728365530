/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { assertAccessible } from './axe.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { chooseFile, importButton, reportTab } from './import-page.ts'

const demo = withDemo()

const PIPELINE = [
  'Record ID,Deal Name,Deal Stage,Amount,Currency,Deal owner,Associated Company',
  '1,Zephyr,Intro call,1500000,EUR,ada@example.com,Zephyr Tests',
  '2,Zonda,Passed,"€ 250,000",,,Zonda Tests',
  '3,Zorro,Odd words,100,USD,,Zorro Tests',
].join('\n')

test('deals are previewed with their stages, imported, exported, and undone', { skip }, async () => {
  const { page, check, close } = await openPage()
  await chooseFile(page, demo.url, 'pipeline.csv', PIPELINE)
  await page.getByText('It looks like a file of deals from HubSpot.').waitFor()
  await page.getByText('3 companies will be created').waitFor()
  const stages = page.getByRole('region', { name: 'Stages' })
  const stageOf = (value: string) => stages.getByRole('combobox', { name: `Stage of “${value}”` })
  assert.equal(await stageOf('Odd words').locator('option:checked').textContent(), 'As it is: odd_words')
  await reportTab(page, 'Cells to check').click()
  await page
    .getByRole('tabpanel')
    .getByText(/the amount is in USD/)
    .waitFor()
  await assertAccessible(page, 'the preview of an import of deals')
  await stages.getByRole('button', { name: 'Take all 2 suggestions' }).click()
  await requestsEnded(page)
  assert.equal(await stageOf('Intro call').inputValue(), 'meeting')
  assert.equal(await stageOf('Passed').inputValue(), 'closed_lost')
  await importButton(page).click()
  await page.getByText('pipeline.csv was imported.').waitFor()
  const deals = async () => {
    const filter = JSON.stringify({ field: 'company_name', op: 'contains', value: 'Tests' })
    const { data } = await demo.api.listDeals({ querystring: { filter } })
    return data.map(({ company_name, stage, status, amount_eur }) => [
      company_name,
      stage,
      status,
      amount_eur,
    ])
  }
  assert.deepEqual((await deals()).sort(), [
    ['Zephyr Tests', 'meeting', 'active', 1_500_000],
    ['Zonda Tests', 'closed_lost', 'lost', 250_000],
    ['Zorro Tests', 'odd_words', 'active', null],
  ])
  await page.getByRole('link', { name: 'Undo this import' }).click()
  const undo = page.url()
  await page.goto(`${demo.url}/pipeline?view=all&layout=list&stage=odd_words`)
  await page.getByRole('button', { name: 'More actions' }).last().click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export 1 deal as CSV' }).click()
  const text = await readFile(await (await saving).path(), 'utf8')
  assert.match(text, /^\ufeffid,company_id,company_name,.*\r\ndf_[^\r]*Zorro Tests[^\r]*\r\n$/s)
  await page.getByRole('button', { name: 'More actions' }).last().click()
  await page.getByRole('menuitem', { name: 'Import deals' }).click()
  await page.getByRole('heading', { name: 'Import deals' }).waitFor()
  await page.goto(undo)
  await page.getByRole('main').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await page
    .getByText(/undone/i)
    .first()
    .waitFor()
  await requestsEnded(page)
  assert.deepEqual(await deals(), [])
  check()
  await close()
})
