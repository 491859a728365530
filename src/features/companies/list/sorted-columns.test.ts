import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
})
after(() => api.close())

test('companies are sorted by their first tag and option, the start of long text, and whether they have a deal', async () => {
  const notes = { entity: 'company', label: 'Minutes', key: 'minutes', type: 'long_text' }
  assert.equal((await api.call('POST', '/api/fields', notes)).status, 201)
  const options = ['Zulu', 'alpha', 'Mike'].map((label) => ({ label }))
  const rounds = { entity: 'company', label: 'Rounds', key: 'rounds', type: 'multi_select', options }
  const several = (await api.call('POST', '/api/fields', rounds)).body.data
  const start = 'x'.repeat(99)
  const ids: string[] = []
  for (const [tags, text, rounds] of [
    [['Beta', 'Zeta'], `${start}b`, ['Mike']],
    [[], null, null],
    [['alpha'], `${start}á`, ['Zulu', 'alpha']],
    [['Álpha'], `${start}A and more`, ['alpha', 'Zulu']],
  ] as const) {
    const company = { name: 'By column', tags, activity_description: text, custom: { minutes: text, rounds } }
    ids.push((await api.call('POST', '/api/companies', company)).body.data.id)
  }
  await api.call('POST', '/api/dealflow', { company_id: ids[3] })
  const order = async (sort: string) => {
    const { status, body } = await api.call('GET', `/api/companies?search=by+column&sort=${sort}`)
    assert.equal(status, 200, body.details)
    return body.data.map(({ id }: { id: string }) => ids.indexOf(id))
  }
  for (const field of ['tags', 'activity_description', 'custom.minutes', 'custom.rounds']) {
    assert.deepEqual(await order(field), [1, 2, 3, 0], field)
    assert.deepEqual(await order(`-${field}`), [0, 3, 2, 1], field)
    assert.deepEqual(await order(`${field}:nulls_last`), [2, 3, 0, 1], field)
  }
  const moved = [2, 0, 1].map((at) => several.options[at])
  assert.equal((await api.call('PATCH', `/api/fields/${several.id}`, { options: moved })).status, 200)
  assert.deepEqual(await order('custom.rounds'), [1, 0, 2, 3])
  assert.deepEqual(await order('has_deal'), [0, 1, 2, 3])
  assert.deepEqual(await order('-has_deal'), [3, 2, 1, 0])
  const { body } = await api.call('GET', '/api/fields')
  const sortable = body.data.filter((field: { is_sortable: boolean }) => field.is_sortable)
  const names = sortable.map((field: { key: string }) => field.key)
  for (const key of ['tags', 'has_deal', 'activity_description', 'rounds', 'minutes'])
    assert.ok(names.includes(key), key)
})
