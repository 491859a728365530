import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
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

test('sources count deals, meetings, and wins by year, also of moves that came before a loss', async () => {
  const { id: company_id } = (await api.call('POST', '/api/companies', { name: 'Scout' })).body.data
  const scout = { source_type: 'company', source_id: company_id }
  const create = async (fields: object): Promise<string> =>
    (await api.call('POST', '/api/dealflow', { company_id, ...fields })).body.data.id
  const move = (id: string, stage: string) => api.call('PATCH', `/api/dealflow/${id}`, { stage })
  const sources = async (query = '') => (await api.call('GET', `/api/stats/sources${query}`)).body
  const ofScout = async () => {
    const { data } = await sources(`?year=${new Date().getUTCFullYear()}`)
    return data.find(({ source_id }: { source_id: string }) => source_id === company_id)
  }
  await create({ ...scout, stage: 'closed_won', amount_eur: 1_000_000.25 })
  await create({ ...scout, status: 'won', stage: 'initial', amount_eur: 0.5 })
  await create({ ...scout, status: 'lost', stage: 'closed_won', amount_eur: 7 })
  const lost = await create(scout)
  await move(lost, 'meeting')
  await move(lost, 'closed_lost')
  const never = await create(scout)
  await move(never, 'closed_lost')
  const mistaken = await create(scout)
  const mistake = await move(mistaken, 'term_sheet')
  await api.call('POST', `/api/actions/${mistake.headers['x-action-id']}/undo`, {})
  const trashed = await create({ ...scout, stage: 'meeting' })
  await api.call('DELETE', `/api/dealflow/${trashed}`)
  await create({ source_type: 'channel', source_id: 'inbound' })
  const old = await create({ source_type: 'channel', source_id: 'inbound', stage: 'due_diligence' })
  await sql`update dealflow set created_at = '2019-12-31T23:59:59Z' where id = ${old}`.execute(api.context.db)

  const counts = { deals: 6, meetings: 3, wins: 2, amount_won_eur: 1_000_000.75 }
  const year = new Date().getUTCFullYear()
  assert.deepEqual(await ofScout(), { year, ...scout, source_name: 'Scout', ...counts })
  const inbound = { source_type: 'channel', source_id: 'inbound', source_name: 'Inbound' }
  const nothing = { wins: 0, amount_won_eur: 0 }
  assert.deepEqual(await sources('?year=2019'), {
    data: [{ year: 2019, ...inbound, deals: 1, meetings: 1, ...nothing }],
    pagination: { total: 1, limit: 50, offset: 0, hasMore: false },
  })
  const { data, pagination } = await sources('?limit=2')
  assert.equal(pagination.total, 4)
  assert.equal(data.length, 2)
  assert.ok(data[0].deals >= data[1].deals)
  const all = (await sources()).data
  const unknown = all.find(({ source_type }: { source_type: string | null }) => source_type === null)
  assert.deepEqual([unknown.source_id, unknown.source_name], [null, null])
  assert.equal((await api.call('GET', '/api/stats/sources?year=20')).status, 400)

  const config = (await api.call('GET', '/api/dealflow/stages/config')).body.data
  const stages = config.stages.map(({ key, ...stage }: { key: string }) => ({
    ...stage,
    key: key.replace('meeting', 'pitch'),
  }))
  await api.call('PUT', '/api/dealflow/stages/config', { stages })
  assert.equal((await ofScout()).meetings, null)
})
