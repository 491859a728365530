/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whileImportsAreHeld } from '#src/features/imports/held-imports.fixture.ts'
import { assertAccessible } from './axe.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

const ROWS = 2000
/** A file larger than an import reads while it cannot write. */
const file = {
  name: 'reloaded.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    `name,city\n${Array.from({ length: ROWS }, (_value, n) => `Reloaded ${n},${'Ulm '.repeat(50)}\n`).join('')}`,
  ),
}

test('an import continues when its page is reloaded, and the page shows its progress, result, and Undo', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const questions: string[] = []
  page.on('dialog', async (dialog) => {
    questions.push(dialog.type())
    await dialog.accept()
  })
  await page.goto(`${demo.url}/companies/import`)
  await page.locator('input[type=file]').setInputFiles(file)
  const start = page.getByRole('button', { name: 'Import 2,000 rows: 2,000 new' })
  await start.waitFor()
  await whileImportsAreHeld(async () => {
    await start.click()
    await page.getByText('You can leave or close this page.').waitFor()
    await page.getByText(/^File uploaded\. \d+% of it imported$/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0)
    await assertAccessible(page, 'importing', [])

    await page.reload()
    const running = page.getByRole('listitem').filter({ hasText: file.name })
    await running.getByText('Running').waitFor()
    const share = Number(await running.getByRole('progressbar').getAttribute('aria-valuenow'))
    assert.ok(share > 0 && share < 100, `share: ${share}`)
    assert.deepEqual(questions, [])
  })
  const completed = page.getByRole('listitem').filter({ hasText: file.name })
  await completed.getByText('Completed').waitFor()
  await completed.getByText('2,000 new').waitFor()
  await completed.getByRole('link', { name: `Undo the import of ${file.name}` }).click()
  await page.waitForURL(/\/activity\/actions\/ax_/)
  const { pagination } = await demo.api.listCompanies({ querystring: { search: 'Reloaded', limit: 0 } })
  assert.equal(pagination.total, ROWS)
  check()
  await close()
})
