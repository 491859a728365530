import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#src/testing/app.ts'

test('companies that are requested at the same time get their own details', async () => {
  const api = await testApp({ WORKER: 'off' })
  try {
    const names = Array.from({ length: 6 }, (_value, n) => `Together ${n}`)
    const created = await Promise.all(names.map((name) => api.call('POST', '/api/companies', { name })))
    const ids: string[] = created.map(({ body }) => body.data.id)
    await api.call('POST', '/api/dealflow', { company_id: ids[0] })
    const requested = Array.from({ length: 10 }, () => [...ids, 'cmp_missing']).flat()
    const answers = await Promise.all(requested.map((id) => api.call('GET', `/api/companies/${id}`)))
    for (const [index, { status, body }] of answers.entries()) {
      const id = requested[index] as string
      const expected = id === 'cmp_missing' ? [404, undefined, undefined] : [200, id, id === ids[0] ? 1 : 0]
      assert.deepEqual([status, body.data?.company.id, body.data?.deals.length], expected)
      if (status === 200) assert.equal(body.data.recent_activity.at(-1)?.company_id, id)
    }
  } finally {
    await api.close()
  }
})
