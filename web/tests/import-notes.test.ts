/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from './axe.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { chooseFile, importButton } from './import-page.ts'

const demo = withDemo()

const NOTES = [
  'Author,Date Created,Tagged Entity,Content',
  'ada@example.com,2026-03-02,noted-loom.example,Met the team',
  'Jane Former,2026-03-03,noted-loom.example,Saw the loom',
  'ada@example.com,2026-03-04,unknown-loom.example,About nobody we know',
].join('\n')

test('a file of notes is recognized, previewed, imported from the app, and undone', { skip }, async () => {
  const { data: company } = await demo.api.createCompany({
    body: { name: 'Noted Loom', website: 'https://noted-loom.example' },
  })
  const notes = async () =>
    (await demo.api.listNotes({ querystring: { about: [company.id], sort: 'happened_at' } })).data
  const { page, check, close } = await openPage()
  await chooseFile(page, demo.url, 'notes.csv', NOTES)
  await page.getByText('It looks like a file of notes from Affinity.').waitFor()
  const question = page.getByRole('radiogroup', { name: 'What does the file hold?' })
  await question.getByRole('radio', { name: 'Notes', checked: true }).waitFor({ state: 'attached' })
  await page.getByText('unknown-loom.example').first().waitFor()
  await assertAccessible(page, 'the preview of an import of notes')
  await importButton(page).click()
  await page.getByText('notes.csv was imported.').waitFor()
  assert.deepEqual(
    (await notes()).map(({ body, author_email, source }) => [body, author_email, source]),
    [
      ['Met the team', 'ada@example.com', 'Affinity'],
      ['Saw the loom\n\nAuthor: Jane Former', null, 'Affinity'],
    ],
  )
  await page.getByRole('link', { name: 'Undo this import' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await page
    .getByText(/undone/i)
    .first()
    .waitFor()
  await requestsEnded(page)
  assert.deepEqual(await notes(), [])
  check()
  await close()
})
