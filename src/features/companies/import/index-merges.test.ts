import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import { IndexMerges } from './index-merges.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const headers = { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' }

/** @returns the number of pages with entries that wait to be merged, after merging them */
async function waiting(): Promise<number> {
  const clean = sql<{ pages: string }>`select gin_clean_pending_list('companies_by_search_text') as pages`
  return Number((await clean.execute(api.context.backgroundDb)).rows[0]?.pages)
}

test('an import leaves nothing to merge into the index', {
  skip: !testServer && 'The embedded database merges in the insert.',
}, async () => {
  await api.call('POST', '/api/companies', { name: 'One of many' })
  assert.notEqual(await waiting(), 0)
  const rows = Array.from({ length: 2500 }, (_, n) => `Firm ${n}\n`)
  const { body } = await api.call('POST', '/api/companies/import', undefined, {
    payload: `name\n${rows.join('')}`,
    headers,
  })
  assert.equal(body.data.created, 2500)
  assert.equal(await waiting(), 0)
})

test('a merge does not fail with its database', async () => {
  const { background, close } = await freshDatabase()
  const merges = new IndexMerges(background)
  await close()
  merges.merge()
  await merges.settled()
})
