import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { slow } from '#src/testing/slow.ts'
import { newCompany } from '../company-row.ts'
import { insertCompanies } from '../store.ts'

const COMPANIES = 6000
let api: TestApp

before(async () => {
  api = await testApp()
  const companies = Array.from({ length: COMPANIES }, (_value, n) =>
    newCompany(newId('cmp'), {
      name: `Number ${n} ${n % 3 === 0 ? 'third' : ''}`,
      country_code: n % 2 ? 'DE' : 'FR',
      revenue_eur: n % 5 ? n % 97 : null,
    }),
  )
  await insertCompanies(companies).execute(api.context.db)
})
after(() => api.close())

async function page(query: string): Promise<{ ids: string[]; total: number }> {
  const { status, body } = await api.call('GET', `/api/companies?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return { ids: body.data.map((company: { id: string }) => company.id), total: body.pagination.total }
}

/** The first 2,000 ids of a list, from pages that are not deep. */
async function firstIds(query: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; offset <= 1000; offset += 1000)
    ids.push(...(await page(`${query}&limit=1000&offset=${offset}`)).ids)
  return ids
}

test('deep pages match the list', { skip: slow }, async () => {
  for (const [query, total] of [
    ['sort=-created_at', COMPANIES],
    ['sort=created_at', COMPANIES],
    ['sort=-revenue_eur', COMPANIES],
    ['sort=revenue_eur', COMPANIES],
    ['sort=name', COMPANIES],
    ['country_code=DE', COMPANIES / 2],
    ['search=third', COMPANIES / 3],
    ['search=number', COMPANIES],
  ] as const) {
    const opposite = query.startsWith('sort=-') ? query.replace('=-', '=') : query.replace('sort=', 'sort=-')
    const backwards = query.startsWith('sort') ? opposite : `${query}&sort=created_at`
    const fromStart = await firstIds(query)
    const fromEnd = (await firstIds(backwards)).reverse()
    for (const offset of [1001, 1500, 1999, total - 1999, total - 1001, total - 30, total - 1, total]) {
      const found = await page(`${query}&limit=50&offset=${offset}`)
      assert.equal(found.total, total, query)
      if (offset + 50 <= fromStart.length)
        assert.deepEqual(found.ids, fromStart.slice(offset, offset + 50), `${query} ${offset}`)
      const behind = total - offset
      if (behind <= fromEnd.length)
        assert.deepEqual(found.ids, fromEnd.slice(fromEnd.length - behind).slice(0, 50), `${query} ${offset}`)
    }
  }
})

test('a deep page is correct after the list has grown', async () => {
  await page(`offset=${COMPANIES - 10}`)
  const { body } = await api.call('POST', '/api/companies', { name: 'New first' })
  const { ids, total } = await page(`offset=${COMPANIES - 10}&limit=1000`)
  assert.equal(total, COMPANIES + 1)
  assert.equal(ids.length, 11)
  assert.ok(!ids.includes(body.data.id))
})
