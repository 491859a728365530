import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
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

/** Resolves when the merges of imports have ended. */
const mergesEnded = () =>
  eventually(async () => {
    const running = sql`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
        and query like '%gin_clean_pending_list%'`
    assert.equal((await running.execute(api.context.db)).rows.length, 0)
  })

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
  await mergesEnded()
  assert.equal(await waiting(), 0)
})

test('a merge does not fail with its database', async () => {
  const { background, close } = await freshDatabase()
  const merges = new IndexMerges(background)
  await close()
  merges.merge()
  // A rejection that no one handles fails the test.
  await sleep(50)
})
