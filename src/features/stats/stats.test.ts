import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newCompany } from '#src/features/companies/company-row.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { firstIdAt } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

test('stats count companies, deals and theses', async () => {
  const company = (await api.call('POST', '/api/companies', { name: 'A' })).body.data.id
  await api.call('POST', '/api/companies', { name: 'B', status: 'inactive' })
  await api.call('POST', '/api/dealflow', { company_id: company })
  await api.call('POST', '/api/dealflow', { company_id: company, status: 'lost' })
  await api.call('POST', '/api/theses', { code: 'A', title: 'A' })
  await api.call('POST', '/api/theses', { code: 'B', title: 'B', status: 'archived' })
  assert.deepEqual((await api.call('GET', '/api/stats')).body, {
    data: { companies_total: 2, companies_active: 1, dealflow_active: 1, theses_active: 1 },
  })
})

test('weekly stats count what was created in each of the last 12 weeks', async () => {
  const weekly = async (): Promise<{ from: string; companies: number; deals: number }[]> =>
    (await api.call('GET', '/api/stats/weekly')).body.data
  const before = await weekly()
  const first = Date.parse(`${before[0]?.from}T00:00:00Z`)
  const idAt = (time: number, n: number) =>
    `${firstIdAt('cmp', new Date(time))}${String(n).padStart(16, '0')}`
  const times = [first - 1, first, first + 7 * 86_400_000 - 1, first + 7 * 86_400_000]
  await insertCompanies(times.map((time, n) => newCompany(idAt(time, n), { name: `Week ${n}` }))).execute(
    api.context.db,
  )
  const company = (await api.call('POST', '/api/companies', { name: 'This week' })).body.data.id
  await api.call('POST', '/api/dealflow', { company_id: company })
  const after = await weekly()
  assert.equal(after.length, 12)
  assert.equal(new Date(`${after.at(-1)?.from}`).getUTCDay(), 1)
  const added = (key: 'companies' | 'deals') => after.map((week, n) => week[key] - (before[n]?.[key] ?? 0))
  assert.deepEqual(added('companies'), [2, 1, ...Array(9).fill(0), 1])
  assert.deepEqual(added('deals'), [...Array(11).fill(0), 1])
})
