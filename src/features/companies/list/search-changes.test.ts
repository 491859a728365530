import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { newCompany } from '../company-row.ts'
import { insertCompanies } from '../store.ts'
import { CHANGE_LOG_LENGTH, trimChangeLog } from './change-log.ts'
import { readFromMatchSet } from './matches.ts'

const COMPANIES = 6000
/** All companies in Germany match the first search, a quarter the second, most the third. */
const LISTS = ['company', undefined, 'qz', 'e'].map((search) => ({ country_code: 'DE', search }))
let api: TestApp
const ids: string[] = []

before(async () => {
  api = await testApp()
  const companies = Array.from({ length: COMPANIES }, (_value, n) =>
    newCompany(newId('cmp'), {
      name: `Company ${n} ${n % 4 === 0 ? 'qz' : ''} ${n % 5 ? 'e' : ''}`,
      country_code: n % 10 ? 'DE' : 'FR',
      revenue_eur: n % 97,
    }),
  )
  ids.push(...companies.map(({ id }) => id))
  await insertCompanies(companies).execute(api.context.db)
  // Only lists that are much longer are kept without this.
  await readFromMatchSet(api.context.db, api.context.companyLists, { country_code: 'DE', offset: 2000 })
})
after(() => api.close())

type List = (typeof LISTS)[number]

async function page(list: List, rest: string): Promise<{ ids: string[]; total: number }> {
  const search = list.search ? `&search=${list.search}` : ''
  const { status, body } = await api.call(
    'GET',
    `/api/companies?country_code=${list.country_code}${search}&${rest}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return { ids: body.data.map((company: { id: string }) => company.id), total: body.pagination.total }
}

/** The ids of a list, straight from the table. */
async function idsOf({ country_code, search = '' }: List, order: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from companies where search_text like ${`%${search}%`} and country_code = ${country_code}
    order by ${sql.raw(order)}`.execute(api.context.db)
  return rows.map(({ id }) => id)
}

/** Compares pages of lists to the table. */
async function check(change: string, lists = LISTS): Promise<void> {
  for (const list of lists) {
    const newestFirst = await idsOf(list, 'id desc')
    const last = newestFirst.length - 5
    const orders = [
      { sort: '-created_at', expected: newestFirst, offsets: [0, 1200] },
      { sort: 'created_at', expected: newestFirst.toReversed(), offsets: [last] },
      {
        sort: '-revenue_eur',
        expected: await idsOf(list, 'revenue_eur desc nulls last, id desc'),
        offsets: [30],
      },
    ]
    for (const { sort, expected, offsets } of orders)
      for (const offset of offsets) {
        const found = await page(list, `sort=${sort}&limit=20&offset=${offset}`)
        const name = `${change}: ${list.search} ${sort} ${offset}`
        assert.deepEqual(found, { ids: expected.slice(offset, offset + 20), total: expected.length }, name)
      }
  }
}

/**
 * Trims the log to the changes of the last transaction. Transactions of other tests on the server, whatever their database,
 * hold back the entries that are newer than their own start.
 */
const trimTo = (changes = 0n) =>
  eventually(async () => {
    const { db, backgroundDb } = api.context
    await trimChangeLog(backgroundDb)
    const { rows } = await sql<{ logged: number }>`
      select count(*)::int as logged from company_change_log where id <> ''`.execute(db)
    assert.equal(rows[0]?.logged, Number(changes))
  })

/** Counts how often a list is collected from the table from now on. */
function countCollections(t: TestContext): () => number {
  const { matchSets } = api.context.companyLists
  const get = matchSets.get.bind(matchSets)
  let collections = 0
  t.mock.method(matchSets, 'get', ((key, minVersion, compute) =>
    get(key, minVersion, () => {
      collections += 1
      return compute()
    })) satisfies typeof matchSets.get)
  return () => collections
}

test('cached lists follow every kind of change without being collected again', async (t) => {
  await check('at first')
  const collections = countCollections(t)
  const { db } = api.context
  const change = (index: number, body: unknown) => api.call('PATCH', `/api/companies/${ids[index]}`, body)
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from companies where id = ${ids[4001]}`.execute(db)
  const { id, name, status, created_at } = rows[0] as Record<string, unknown>
  const changes = {
    'a new company': () => api.call('POST', '/api/companies', { name: 'Company qz e', country_code: 'DE' }),
    'a text without the words': () => change(3001, { name: 'Other' }),
    'a text with the words': () => change(3001, { name: 'Company again, qz, e' }),
    'a country that matches': () => change(3000, { country_code: 'DE' }),
    'a country that does not match': () => change(3003, { country_code: 'FR' }),
    'many companies': () =>
      sql`update companies set name = 'Company qz', revenue_eur = 1000 where id = any(${ids.slice(50, 150)})`.execute(
        db,
      ),
    'deleted companies': () =>
      sql`delete from companies where id = any(${[...ids.slice(2000, 2100), id]})`.execute(db),
    'a company that is there again': () =>
      sql`insert into companies (id, name, status, country_code, created_at, updated_at)
        values (${id}, ${name}, ${status}, 'DE', ${created_at}, ${created_at})`.execute(db),
    'a change that is rolled back': () =>
      db
        .transaction()
        .execute(async (transaction) => {
          await sql`delete from companies where id = ${id}`.execute(transaction)
          throw new Error('rolled back')
        })
        .catch(() => {}),
  }
  for (const [what, apply] of Object.entries(changes)) {
    await apply()
    // The last two are a list of each kind.
    await check(what, what === 'a new company' ? LISTS : LISTS.slice(2))
  }
  await check('at last')
  assert.equal(collections(), 0)
})

test('a list is collected again when the log has lost some of the changes', async (t) => {
  await check('before')
  const collections = countCollections(t)
  const { db } = api.context
  const many = ids.slice(0, CHANGE_LOG_LENGTH + 500)
  const some = await sql`update companies set name = 'Company qz' where id = any(${many})`.execute(db)
  await trimTo(some.numAffectedRows)
  await api.call('PATCH', `/api/companies/${ids[5500]}`, { name: 'Company qz e' })
  const all = await sql`
    update companies set name = case when right(id, 1) < '8' then 'Company qz' else 'Company e' end`.execute(
    db,
  )
  await trimTo(all.numAffectedRows)
  await check('after')
  assert.equal(collections(), LISTS.length)
})

test('changes of a restored database do not keep lists from being cached', async (t) => {
  const { db, backgroundDb } = api.context
  await sql`insert into company_change_log select '9000000000000000', id from companies`.execute(db)
  await api.call('POST', '/api/companies', { name: 'Company qz e', country_code: 'DE' })
  await trimChangeLog(backgroundDb)
  await check('before')
  const collections = countCollections(t)
  await check('after')
  assert.equal(collections(), 0)
})

test('a change that is committed late is not lost', { skip: !testServer && 'one connection' }, async () => {
  const { db, backgroundDb } = api.context
  await db.transaction().execute(async (transaction) => {
    await sql`update companies set name = 'Company qz' where id = ${ids[5700]}`.execute(transaction)
    await check('before the commit')
    await sql`update companies set name = 'Company qz e' where id = any(${ids.slice(0, 5600)})`.execute(db)
    await trimChangeLog(backgroundDb)
    await check('trimmed')
  })
  await check('after the commit')
})

test('searches agree with the table while companies are created', async () => {
  const list = { country_code: 'DE', search: 'qz' }
  let isWriting = true
  const writing = (async () => {
    for (let n = 0; n < 30; n++)
      await api.call('POST', '/api/companies', { name: `Company qz ${n}`, country_code: 'DE' })
    isWriting = false
  })()
  let lastTotal = 0
  while (isWriting) {
    const previous = lastTotal
    const pages = await Promise.all(
      ['-created_at', '-created_at', 'created_at'].map((sort) => page(list, `sort=${sort}&limit=20`)),
    )
    for (const { ids: found, total } of pages) {
      assert.equal(new Set(found).size, 20)
      assert.ok(total >= previous)
      lastTotal = Math.max(lastTotal, total)
    }
    // The embedded database answers without I/O: reads without a pause would keep the writer waiting forever.
    await setImmediate()
  }
  await writing
  const expected = await idsOf(list, 'id desc')
  assert.deepEqual(await page(list, 'limit=20'), { ids: expected.slice(0, 20), total: expected.length })
})

test('a process of the version before still finds the counters as it knows them', async () => {
  const { rows } = await sql<{ total: number }>`
    select sum(n)::int as total from
      (select * from company_counts union all select * from company_count_deltas) counts`.execute(
    api.context.db,
  )
  const counted = await sql<{ n: number }>`select count(*)::int as n from companies`.execute(api.context.db)
  assert.equal(rows[0]?.total, counted.rows[0]?.n)
})
