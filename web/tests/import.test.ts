/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { slow } from '#src/testing/slow.ts'
import { assertAccessible } from './axe.ts'
import { hasFocus, openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { chooseFile, importButton, reportTab as tab } from './import-page.ts'

const demo = withDemo(async ({ api }) => {
  await api.createCompany({
    body: { name: 'Birch Holding', website: 'https://birch.example', country: 'Germany' },
  })
  await api.createCompany({
    body: { name: 'Cedar Group', website: 'https://cedar.example', country: 'France' },
  })
  await api.createCompany({
    body: { name: 'Gorse Bio', website: 'https://gorsebio.example', country: 'Norway', employee_count: 7 },
  })
})

const PHONE = { width: 360, height: 740 }

const MESSY = [
  'Deal list of Test Partners;;;;;',
  'Exported on 12 May 2026;;;;;',
  ';;;;;',
  'Firma;Website;Land;Ort;Mitarbeiter;Erstkontakt',
  'Aspen Looms;aspenlooms.example;Germany;Ulm;40;03/04/2026',
  'Birch Ventures;birch.example;Germany;Bonn;9;11/12/2025',
  'Cedar Labs;cedar.example;France;Lille;12;01/02/2026',
  'Dogwood Pay;dogwoodpay.example;Spain;Madrid;soon;02/03/2026',
  'Elder Grid;n.a.;Italy;Rome;many;05/06/2026',
  'Fir Maps;firmaps.example;Italy;Pisa;5;07/08/2026',
  'Gorse Bio;gorsebio.example;Norway;Oslo;11;09/10/2025',
  '-;;;;;',
  '© Example Data 2026. All rights reserved.;;;;;',
].join('\n')

const choose = (page: Page, name: string, content: string) => chooseFile(page, demo.url, name, content)
const imported = async (search: string) =>
  (await demo.api.listCompanies({ querystring: { search, limit: 20 } })).data

test('a messy list is read, questions are answered, cells repaired, rows left out, and the import undone', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  await choose(page, 'messy.csv', MESSY)
  await page.getByText('Separated by semicolons · Column names in row 4').waitFor()
  await page.getByRole('button', { name: 'Import 7 rows: 6 new, 1 changed' }).waitFor()

  // The day or the month may come first, and the preview shows the choice.
  await page.getByRole('combobox', { name: 'Field for column Erstkontakt' }).selectOption('Create field…')
  await page
    .getByRole('combobox', { name: 'Type of the new field for column Erstkontakt' })
    .selectOption('Date')
  const formats = page.getByRole('region', { name: 'Numbers, amounts, and dates' })
  await formats.getByText('What does “03/04/2026” mean?').waitFor()
  await formats.getByRole('button', { name: 'Apr 3, 2026' }).click()
  const preview = page.getByRole('table', { name: 'Preview' })
  const aspen = preview.getByRole('row', { name: /Aspen Looms/ })
  await aspen.getByRole('cell', { name: 'Apr 3, 2026' }).waitFor()
  await formats.getByRole('button', { name: 'Mar 4, 2026' }).click()
  await aspen.getByRole('cell', { name: 'Mar 4, 2026' }).waitFor()

  await tab(page, '2 Questions').click()
  const questions = page.getByRole('region', { name: 'Same website, different name' })
  await questions
    .getByRole('listitem', { name: 'Row 6, Birch Ventures' })
    .getByText('Birch Holding')
    .waitFor()
  await questions.getByRole('radiogroup', { name: 'All 2 rows:' }).getByText('Leave out').click()
  await page.getByRole('button', { name: 'Import 5 rows: 4 new, 1 changed' }).waitFor()
  const cedar = questions.getByRole('radiogroup', { name: 'Decision for row 7, Cedar Labs' })
  await cedar.getByText('Keep apart').click()
  await page.getByRole('button', { name: 'Import 6 rows: 5 new, 1 changed' }).waitFor()

  await tab(page, 'Cells to check').click()
  const first = page.getByRole('textbox', { name: 'Mitarbeiter in row 8' })
  await first.fill('120')
  await first.press('Enter')
  await hasFocus(page.getByRole('textbox', { name: 'Mitarbeiter in row 9' }))
  await page.keyboard.type('35')
  await page.keyboard.press('Enter')
  await page.getByText('Repaired').nth(1).waitFor()
  await tab(page, 'New').click()
  await page.getByRole('button', { name: 'Leave out row 10 (Fir Maps)' }).click()
  await page.getByRole('button', { name: 'Import 5 rows: 4 new, 1 changed' }).waitFor()
  await page.getByRole('button', { name: 'Include row 10 (Fir Maps)' }).waitFor()

  await tab(page, 'Changed').click()
  const changes = page.getByRole('tabpanel')
  assert.match(await changes.innerText(), /Gorse Bio[\s\S]*Employees[\s\S]*7[\s\S]*→[\s\S]*11/)
  await tab(page, '3 Your edits').click()
  await page.getByText('Mitarbeiter: changed from “soon” to “120”').waitFor()
  await assertAccessible(page, 'an import before it starts', [PHONE], true)

  await importButton(page).click()
  await page.getByText('messy.csv was imported.').waitFor()
  await tab(page, '4 New').click()
  await page.getByText('Dogwood Pay').waitFor()
  await assertAccessible(page, 'an import after its end', [PHONE], true)
  const [dogwood] = await imported('Dogwood Pay')
  assert.equal(dogwood?.employee_count, 120)
  assert.equal(dogwood?.custom.erstkontakt, '2026-02-03')
  assert.deepEqual(
    [...(await imported('Fir Maps')), ...(await imported('Birch Ventures'))].map(({ name }) => name),
    [],
  )

  await page.getByRole('link', { name: 'Undo this import' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('This action has been undone').waitFor()
  assert.deepEqual(await imported('Dogwood Pay'), [])
  await page.goto(`${demo.url}/companies/import`)
  await page.getByRole('button', { name: 'Report on messy.csv' }).click()
  await tab(page, '4 New').waitFor()
  check()
  await close()
})

test('edits can be undone where they were made, and all at once', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  await choose(page, 'edits.csv', 'name,employees\nHazel Ovens,soon\nIvy Kilns,often\nJuniper Pots,4\n')
  await tab(page, 'Cells to check').click()
  const cell = page.getByRole('textbox', { name: 'employees in row 2' })
  await cell.fill('lots')
  await cell.press('Escape')
  assert.equal(await cell.inputValue(), 'soon')
  await cell.fill('12')
  await cell.press('Enter')
  await page.getByText('Repaired').waitFor()
  await page.getByRole('button', { name: 'Undo the edit of employees in row 2' }).click()
  await page.getByText('Repaired').waitFor({ state: 'detached' })
  assert.equal(await cell.inputValue(), 'soon')
  await page.getByRole('button', { name: 'Leave out row 3 (Ivy Kilns)' }).click()
  await cell.fill('13')
  await cell.press('Enter')
  await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).waitFor()
  await tab(page, '2 Your edits').click()
  await page.getByRole('button', { name: 'Undo all edits' }).click()
  await page.getByRole('button', { name: 'Import 3 rows: 3 new' }).waitFor()
  await tab(page, 'Cells to check').click()
  await page
    .getByRole('radiogroup', { name: 'Cells that cannot be read:' })
    .getByText('Leave the row out')
    .click()
  await page.getByRole('button', { name: 'Import 1 row: 1 new' }).waitFor()
  await tab(page, '2 Errors').waitFor()
  check()
  await close()
})

test('a list can be downloaded', { skip }, async () => {
  const { page, check, close } = await openPage()
  await choose(page, 'firms.csv', 'name,employees\n=Larch,soon\nMaple,5\n')
  await tab(page, 'Cells to check').click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download list' }).click()
  const saved = await download
  assert.equal(saved.suggestedFilename(), 'firms-cells.csv')
  const text = await readFile(await saved.path(), 'utf8')
  assert.match(text, /^\ufeffrow,company,column,value,message\r\n2,'=Larch,employees,soon,/)
  check()
  await close()
})

test('a file without a known name column asks which one it is', { skip }, async () => {
  const { page, check, close } = await openPage()
  await choose(page, 'unknown.csv', 'Bezug,Zahl A\nNutmeg Mills,3\nOlive Press,4\n')
  await page.getByText('Which column holds the company name?').waitFor()
  await page.getByRole('combobox', { name: 'Field for column Bezug' }).selectOption('Name')
  await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).waitFor()
  assert.equal(await page.getByText('Which column holds the company name?').count(), 0)
  check()
  await close()
})

test('a failed check keeps the choice that caused it, so that it can be changed back', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  await choose(page, 'firms.csv', 'name,city\nPine Ovens,Ulm\n')
  await page.getByRole('button', { name: 'Import 1 row: 1 new' }).waitFor()
  await page.route('**/api/companies/import', (route) =>
    route.fulfill({ status: 400, json: { error: 'Bad Request', details: 'The sheet is gone.' } }),
  )
  const city = page.getByRole('combobox', { name: 'Field for column city' })
  await city.selectOption('Do not import')
  await page.getByRole('alert').filter({ hasText: 'The sheet is gone.' }).waitFor()
  assert.equal(await importButton(page).isDisabled(), true)
  await page.unroute('**/api/companies/import')
  await city.selectOption('HQ city')
  await page.getByRole('button', { name: 'Import 1 row: 1 new' }).and(page.locator(':enabled')).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  check()
  await close()
})

test('the country is shown once in the preview', { skip: skip || slow }, async () => {
  const { page, check, close } = await openPage()
  await choose(page, 'countries.csv', 'name,country\nUmber Kilns,Germany\nVetch Pots,France\n')
  await page.getByRole('rowheader', { name: 'Umber Kilns' }).waitFor()
  const preview = page.getByRole('table', { name: 'Preview' })
  await preview.getByRole('columnheader', { name: 'Country', exact: true }).waitFor()
  assert.equal(await preview.getByRole('columnheader', { name: 'Country code' }).count(), 0)
  check()
  await close()
})
