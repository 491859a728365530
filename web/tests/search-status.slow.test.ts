import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#src/testing/eventually.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

test('the state of the search index is kept up to date, and searches that it ranks differently are repeated', {
  skip,
}, async () => {
  const { data } = await demo.api.getSearchStatus()
  const model = { model: 'test-model, text 1', state: 'filling', dimensions: 8, failed: 0, fault: null }
  const indexed = (embedded: number, waiting: number) => ({
    ...data,
    ...{ answering: model.model, is_semantic: true, waiting: 0 },
    models: [{ ...model, embedded, waiting }],
  })
  const { page, check, close } = await openPage()
  let status = indexed(10, 20)
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/companies/search/status', async (route) => {
    await isReleased
    await route.fulfill({ json: { data: status } })
  })
  let searches = 0
  page.on('request', (request) => {
    if (/\/search\/semantic\?/.test(request.url())) searches++
  })
  await page.goto(`${demo.url}/companies?q=robots&by=semantic`)
  await page.locator('tbody tr').first().waitFor()
  // The page claims no model until the service reports one.
  await page.getByText('Best match', { exact: true }).waitFor()
  assert.equal(await page.getByText('Semantic', { exact: true }).count(), 0)
  release()
  await page.getByText('Semantic', { exact: true }).waitFor()
  await page.getByText('10 of 30 companies indexed by the model so far.').waitFor()
  const before = searches
  status = indexed(30, 0)
  await page.getByText('indexed by the model so far.').waitFor({ state: 'hidden' })
  await eventually(() => assert.ok(searches > before))
  check()
  await close()
})

test('without a model, nothing about a company is called semantic', { skip }, async () => {
  const { data } = await demo.api.createCompany({ body: { name: 'Zyx' } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${data.id}`)
  await page.getByRole('tab', { name: 'Similar' }).click()
  await page.getByText('No similar companies found').waitFor()
  await page.getByRole('button', { name: 'Run AI' }).click()
  await page.getByRole('menuitem', { name: 'Index for search' }).waitFor()
  assert.equal(await page.getByText(/semantic/i).count(), 0)
  await page.getByRole('menuitem', { name: 'Index for search' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^Search indexing/ }).waitFor()
  assert.equal(await page.getByText(/semantic/i).count(), 0)
  check()
  await close()
})
