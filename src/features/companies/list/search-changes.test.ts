import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { COUNTERS } from '#src/counters.ts'
import { insertCompanies, newCompany } from '#src/features/companies/store.ts'
import { CHANGE_LOG_LENGTH, foldCounters } from '#src/platform/database/counters.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'

const COMPANIES = 18_000
/** A third of the companies match the first search, a quarter the second, most the third, all the last. */
const SEARCHES = ['third', 'qz', 'e', 'nu'] as const
let api: TestApp
const ids: string[] = []

before(async () => {
  api = await testApp()
  for (let start = 0; start < COMPANIES; start += 3000) {
    const companies = Array.from({ length: 3000 }, (_value, n) =>
      newCompany(newId('cmp'), {
        name: `Nu ${start + n} ${n % 3 === 0 ? 'third' : ''} ${n % 4 === 0 ? 'qz' : ''} ${n % 5 ? 'e' : ''}`,
        country_code: n % 10 ? 'DE' : 'FR',
        revenue_eur: n % 97,
      }),
    )
    ids.push(...companies.map(({ id }) => id))
    await insertCompanies(companies).execute(api.context.db)
  }
})
after(() => api.close())

async function page(query: string): Promise<{ ids: string[]; total: number }> {
  const { status, body } = await api.call('GET', `/api/companies?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return { ids: body.data.map((company: { id: string }) => company.id), total: body.pagination.total }
}

/** Compares pages of a search to the table. */
async function checkSearch(search: string): Promise<void> {
  for (const [sort, order] of [
    ['-created_at', 'id desc'],
    ['created_at', 'id'],
    ['-revenue_eur', 'revenue_eur desc nulls last, id desc'],
  ]) {
    const { rows } = await sql<{ id: string }>`
      select id from companies where search_text like ${`%${search}%`} and country_code = 'DE'
      order by ${sql.raw(order as string)}`.execute(api.context.db)
    const expected = rows.map(({ id }) => id)
    for (const offset of [0, 700, expected.length - 5, expected.length]) {
      const found = await page(`search=${search}&country_code=DE&sort=${sort}&limit=20&offset=${offset}`)
      assert.equal(found.total, expected.length, `${search} ${sort}`)
      assert.deepEqual(found.ids, expected.slice(offset, offset + 20), `${search} ${sort} ${offset}`)
    }
  }
}

async function checkAll(): Promise<void> {
  for (const search of SEARCHES) await checkSearch(search)
}

test('cached searches follow every kind of change, folded or not', async () => {
  await checkAll()
  const change = (id: string | undefined, body: unknown) => api.call('PATCH', `/api/companies/${id}`, body)
  const changes = [
    () => api.call('POST', '/api/companies', { name: 'Nu third qz e', country_code: 'DE' }),
    () => change(ids[9001], { name: 'Other' }),
    () => change(ids[9001], { name: 'Nu again, third, qz, e' }),
    () => change(ids[9000], { country_code: 'DE' }),
    () => change(ids[9003], { country_code: 'FR' }),
    () =>
      sql`update companies set revenue_eur = 1000 where id = any(${ids.slice(50, 150)})`.execute(
        api.context.db,
      ),
    () => sql`delete from companies where id = any(${ids.slice(5000, 5100)})`.execute(api.context.db),
    () => foldCounters(api.context.db, COUNTERS),
  ]
  for (const apply of changes) {
    await apply()
    await checkAll()
  }
})

test('a cached search is brought up to date without being collected again', async (t) => {
  const { companyLists } = api.context
  const pages = SEARCHES.map((search) => `search=${search}`)
  for (const query of pages) await page(query)
  const collect = t.mock.method(companyLists.matchSets, 'collect')
  const sort = t.mock.method(companyLists.searches, 'run')
  const former = await Promise.all(pages.map(page))
  const { body } = await api.call('POST', '/api/companies', { name: 'Nu third qz e' })
  for (const [index, query] of pages.entries()) {
    const { ids: found, total } = await page(query)
    assert.equal(found[0], body.data.id)
    assert.equal(total, (former[index]?.total ?? 0) + 1)
  }
  assert.equal(collect.mock.callCount() + sort.mock.callCount(), 0)
})

test('a search is collected again when too much has changed since', async () => {
  await checkAll()
  await sql`update companies set name = 'Nu third' where id = any(${ids.slice(6000, 12_000)})`.execute(
    api.context.db,
  )
  await checkAll()
  await foldCounters(api.context.db, COUNTERS)
  await sql`update company_changes set folded = folded + ${CHANGE_LOG_LENGTH + 1}`.execute(api.context.db)
  await sql`truncate company_change_log`.execute(api.context.db)
  await checkAll()
})

test('searches agree with the table while companies are created', async () => {
  let isWriting = true
  const writing = (async () => {
    for (let n = 0; n < 60; n++) await api.call('POST', '/api/companies', { name: `Nu third qz e ${n}` })
    isWriting = false
  })()
  let lastTotal = 0
  while (isWriting) {
    const pages = await Promise.all([1, 2, 3, 4].map(() => page('search=third&limit=20')))
    for (const { ids: found, total } of pages) {
      assert.deepEqual(found, found.toSorted().reverse())
      assert.equal(found.length, 20)
      assert.ok(total >= lastTotal)
    }
    lastTotal = Math.max(...pages.map(({ total }) => total))
  }
  await writing
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from companies where search_text like '%third%'`.execute(api.context.db)
  assert.equal((await page('search=third')).total, rows[0]?.n)
})
