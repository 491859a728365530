import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { parseListQuery } from '../selection/selection.ts'
import { ListCaches } from './cache.ts'
import { listCompanies } from './list.ts'

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' })
})
after(() => api.close())

const create = async (url: string, fields: object): Promise<string> => {
  const { status, body } = await api.call('POST', url, fields)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}
const names = async (query: string) =>
  (await api.call('GET', `/api/companies${query}`)).body.data.map(({ name }: { name: string }) => name)

test('a page shows a new logo', async () => {
  await create('/api/companies', { name: 'With a logo', website: 'https://logo.example' })
  const logo = async () => (await api.call('GET', '/api/companies')).body.data[0].logo_url
  assert.equal(await logo(), null)
  const { db } = api.context
  assert.equal(await logo(), null)
  await sql`insert into logos (origin) values ('https://logo.example')`.execute(db)
  await sql`update logos set png = '\\x00', version = 'one'`.execute(db)
  assert.match(await logo(), /v=one$/)
  await sql`delete from logos`.execute(db)
  assert.equal(await logo(), null)
})

test('a list by thesis follows the codes of the theses', async () => {
  for (const code of ['PA', 'PB']) {
    const thesis_id = await create('/api/theses', { code, title: code })
    await create('/api/companies', { name: `Of ${code}`, status: 'screening', thesis_id })
  }
  const list = () => names('?status=screening&sort=thesis_id')
  assert.deepEqual(await list(), ['Of PA', 'Of PB'])
  const { rows } = await sql<{ id: string }>`select id from theses where code = 'PA'`.execute(api.context.db)
  assert.equal((await api.call('PATCH', `/api/theses/${rows[0]?.id}`, { code: 'PC' })).status, 200)
  assert.deepEqual(await list(), ['Of PB', 'Of PA'])
})

const QUERIES = [
  {},
  { status: 'active' },
  { sort: '-name', limit: 3 },
  { sort: 'founded_year,name', offset: 2 },
  { search: 'page' },
  { tags: 'grid' },
  { filter: '{"field":"founded_year","op":"gt","value":2010}' },
]

test('after any change, each page and total is as if nothing were cached', async () => {
  const random = createRandom(26)
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  const { db } = api.context
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_value, n) => create('/api/companies', { name: `Page ${n}` })),
  )
  const changes: (() => Promise<unknown>)[] = [
    () => api.call('PATCH', `/api/companies/${pick(ids)}`, { status: pick(['active', 'watching']) }),
    () =>
      api.call('PATCH', `/api/companies/${pick(ids)}`, { founded_year: 2000 + Math.floor(random() * 20) }),
    () => api.call('PATCH', '/api/companies', { ids: [pick(ids)], changes: { tags: pick([['grid'], []]) } }),
    () => sql`update companies set name = name || '!' where id = ${pick(ids)}`.execute(db),
    () => api.call('DELETE', `/api/companies/${pick(ids)}`),
    () => api.call('POST', `/api/trash/${pick(ids)}/restore`),
    async () => ids.push(await create('/api/companies', { name: `Page ${ids.length}`, tags: ['grid'] })),
  ]
  for (let round = 0; round < 60; round++) {
    await pick(changes)()
    for (const query of [...QUERIES, ...QUERIES]) {
      const listing = await parseListQuery(db, api.context.filterCaller(null), query)
      const page = await listCompanies(db, api.context.companyLists, listing)
      assert.equal(page, await listCompanies(db, new ListCaches(), listing), JSON.stringify(query))
    }
  }
})
