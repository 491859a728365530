/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from './axe.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { chooseFile, importButton, reportTab } from './import-page.ts'

const demo = withDemo()

const CONNECTIONS = [
  'Notes:',
  '"When exporting your connection data, you may notice that some addresses are missing."',
  '',
  'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
  'Tess,Import,https://www.linkedin.com/in/tess-import,tess@importer.example,Importer Labs,CEO,04 Mar 2025',
  'Tom,Import,https://www.linkedin.com/in/tom-import,not an address,Importer Labs,CTO,05 Mar 2025',
].join('\n')

test('a file of people is recognized, previewed with its companies, imported, and undone', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  await chooseFile(page, demo.url, 'Connections.csv', CONNECTIONS)
  await page.getByText('It looks like a file of people from LinkedIn.').waitFor()
  const question = page.getByRole('radiogroup', { name: 'What does the file hold?' })
  await question.getByRole('radio', { name: 'People', checked: true }).waitFor({ state: 'attached' })
  await page.getByText('1 company will be created: Importer Labs.').waitFor()
  await reportTab(page, 'Cells to check').click()
  await page
    .getByRole('tabpanel')
    .getByText(/must be email addresses/)
    .waitFor()
  await assertAccessible(page, 'the preview of an import of people')
  await page.getByRole('checkbox', { name: 'Create companies that do not exist' }).uncheck()
  await page
    .getByText('Rows are not linked to 1 company that cannot be found or told apart: Importer Labs.')
    .waitFor()
  await page.getByRole('checkbox', { name: 'Create companies that do not exist' }).check()
  await page.getByText('1 company will be created: Importer Labs.').waitFor()
  await importButton(page).click()
  await page.getByText('Connections.csv was imported.').waitFor()
  const people = async () =>
    (await demo.api.listPeople({ querystring: { search: 'Import', limit: 10 } })).data
  assert.deepEqual((await people()).map(({ name, companies }) => `${name}, ${companies[0]?.name}`).sort(), [
    'Tess Import, Importer Labs',
    'Tom Import, Importer Labs',
  ])
  await page.getByRole('link', { name: 'Undo this import' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await page
    .getByText(/undone/i)
    .first()
    .waitFor()
  await requestsEnded(page)
  assert.deepEqual(await people(), [])
  await page.goto(`${demo.url}/people`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Import people' }).click()
  await page.getByRole('heading', { name: 'Import people' }).waitFor()
  check()
  await close()
})
