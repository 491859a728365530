import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { newCompany } from '../company-row.ts'
import { insertCompanies } from '../store.ts'

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
async function check(change: string): Promise<void> {
  for (const list of LISTS) {
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

test('lists follow every kind of change', async () => {
  await check('at first')
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
    await check(what)
  }
})

test('a change that is committed late is not lost', { skip: !testServer && 'one connection' }, async () => {
  const { db } = api.context
  await db.transaction().execute(async (transaction) => {
    await sql`update companies set name = 'Company qz' where id = ${ids[5700]}`.execute(transaction)
    await check('before the commit')
    await sql`update companies set name = 'Company qz e' where id = any(${ids.slice(0, 5600)})`.execute(db)
    await check('after later changes')
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
