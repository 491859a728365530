/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utils, write } from '@e965/xlsx'
import type { Page } from 'playwright-core'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { chooseFile, importButton } from './import-page.ts'

const demo = withDemo()

const choose = (page: Page, name: string, content: string | Buffer) =>
  chooseFile(page, demo.url, name, content)

test('another encoding changes the names, and another row of column names the columns', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const text = Buffer.from('name,city\nM\xfcller,K\xf6ln\nSch\xe4fer,L\xfcbeck\n', 'latin1')
  await choose(page, 'letters.csv', text)
  await page.getByRole('rowheader', { name: 'Müller' }).waitFor()
  const change = page.getByRole('button', { name: 'Change how the file is read' })
  if (await change.isVisible()) await change.click()
  await page.getByRole('combobox', { name: 'Encoding' }).selectOption('windows-1251')
  await page.getByRole('rowheader', { name: 'Mьller' }).waitFor()
  await page.getByRole('combobox', { name: 'Encoding' }).selectOption('windows-1252')
  await page.getByRole('rowheader', { name: 'Müller' }).waitFor()
  await page.getByRole('radio', { name: 'Column names in row 2' }).click()
  await page.getByText('Which column holds the company name?').waitFor()
  await page.getByRole('radio', { name: 'Column names in row 1' }).click()
  await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).waitFor()
  check()
  await close()
})

test('files that are not tables are rejected by name, with a remedy', { skip }, async () => {
  const { page, check, close } = await openPage()
  for (const [name, content, message] of [
    ['page.csv', '<!doctype html><html><body><table><tr><td>x</td></tr></table></body></html>', /HTML/],
    ['report.csv', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj', /PDF/],
    ['data.txt', '{"companies": [{"name": "Aspen"}]}', /JSON/],
    ['empty.csv', '', /empty/i],
  ] as const) {
    await choose(page, name, content)
    await page.getByRole('alert').filter({ hasText: message }).waitFor()
    const alert = page.getByRole('alert').filter({ hasText: 'This file cannot be imported' })
    assert.equal(await alert.getByRole('button').count(), 0, name)
    assert.equal(await importButton(page).count(), 0, name)
  }
  await page.getByText('0 bytes').waitFor()
  check()
  await close()
})

test('a sheet without names suggests the other sheets', { skip }, async () => {
  const { page, check, close } = await openPage()
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Bezug', 'Zahl A'],
      ['Fonds', 3],
    ]),
    'Cover',
  )
  utils.book_append_sheet(book, utils.aoa_to_sheet([['name'], ['Tansy Looms']]), 'Targets')
  await choose(page, 'cover.xlsx', write(book, { type: 'buffer', bookType: 'xlsx' }))
  const question = page.getByRole('alert').filter({ hasText: 'The names may be on another sheet:' })
  await question.getByRole('button', { name: 'Targets' }).click()
  await page.getByRole('button', { name: 'Import 1 row: 1 new' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  check()
  await close()
})

test('the sheet of a workbook is chosen', { skip }, async () => {
  const { page, check, close } = await openPage()
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['name', 'employees'],
      ['Rowan Looms', 12],
    ]),
    'Deals',
  )
  utils.book_append_sheet(book, utils.aoa_to_sheet([['name'], ['Sorrel Pots'], ['Thyme Ovens']]), 'Archive')
  await choose(page, 'book.xlsx', write(book, { type: 'buffer', bookType: 'xlsx' }))
  await page.getByText('Workbook · Sheet “Deals” · Column names in row 1').waitFor()
  await page.getByRole('rowheader', { name: 'Rowan Looms' }).waitFor()
  await page.getByRole('combobox', { name: 'Sheet' }).selectOption('Archive')
  await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).waitFor()
  await page.getByRole('rowheader', { name: 'Sorrel Pots' }).waitFor()
  check()
  await close()
})
