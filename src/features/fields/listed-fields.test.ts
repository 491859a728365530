import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { FIELD_ENTITIES, type FieldEntity } from './schema.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const LISTS: Record<FieldEntity, string> = {
  company: '/api/companies',
  deal: '/api/dealflow',
  thesis: '/api/theses',
  activity: '/api/activity',
}

test('an error about an unknown field says which request lists the fields of these records', async () => {
  const filter = JSON.stringify({ field: 'nope', op: 'eq', value: 1 })
  for (const entity of FIELD_ENTITIES) {
    const list = `GET /api/fields?entity=${entity} lists them.`
    const filtered = await api.call('GET', LISTS[entity], undefined, { query: { filter } })
    assert.deepEqual(
      [filtered.status, filtered.body.details],
      [400, `filter.field must be the name of a field, not "nope". ${list}`],
    )
    if (entity === 'activity') continue
    const sorted = await api.call('GET', LISTS[entity], undefined, { query: { sort: '-nope' } })
    assert.deepEqual(
      [sorted.status, sorted.body.details],
      [400, `sort[0].field must be the name of a field to sort by, not "nope". ${list}`],
    )
    assert.equal((await api.call('GET', `/api/fields?entity=${entity}`)).status, 200)
  }
})
