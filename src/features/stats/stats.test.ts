import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
