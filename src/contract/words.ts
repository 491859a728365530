import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertError, bodyOf, dataOf, newUser, unique } from './client.ts'
import { newCompany, newDeal } from './fixtures.ts'

const query = (path: string, filters: Record<string, string>) => `${path}?${new URLSearchParams(filters)}`
const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)

describe('Words are normalized', () => {
  for (const [written, word] of [
    ['Due Diligence', 'due_diligence'],
    ['due-diligence', 'due_diligence'],
    [' Due  diligence ', 'due_diligence'],
    ['Initial', 'initial'],
    ['MEETING', 'meeting'],
  ] as const)
    test(`the stage ${JSON.stringify(written)} is ${word}, on write and in the filter`, async () => {
      const client = newUser()
      const created = await newDeal(client, { stage: written })
      assert.equal(created.stage, word)
      const { id } = await newDeal(client, { stage: 'term_sheet' })
      assert.equal((await dataOf(client.patch(`/api/dealflow/${id}`, { stage: written }))).stage, word)
      const found = idsOf(await dataOf(client.get(query('/api/dealflow', { stage: written }))))
      assert.ok(found.includes(created.id) && found.includes(id))
    })

  test('the status of a company, on write and in the filter', async () => {
    const client = newUser()
    const word = unique()
    const { id, status } = await newCompany(client, { status: `On ${word.toUpperCase()}` })
    assert.equal(status, `on_${word}`)
    for (const written of [`on-${word}`, `On ${word}`, `ON_${word}`])
      assert.deepEqual(idsOf(await dataOf(client.get(query('/api/companies', { status: written })))), [id])
  })

  test('the status of a dealflow entry, on write and in the filter', async () => {
    const client = newUser()
    const word = unique()
    const { id } = await newDeal(client)
    const change = { status: `On ${word}` }
    assert.equal((await dataOf(client.patch(`/api/dealflow/${id}`, change))).status, `on_${word}`)
    assert.deepEqual(idsOf(await dataOf(client.get(query('/api/dealflow', change)))), [id])
  })

  test('the type of feedback: "Bug" is bug', async () => {
    for (const type of ['Bug', 'Feature request'])
      await bodyOf(newUser().post('/api/feedback', { type, title: 'The board' }), 201)
  })

  test('a status without letters is a 400', async () => {
    const client = newUser()
    await assertError(client.post('/api/companies', { name: 'Nordlys', status: '—' }), 400, /status/)
  })

  test('UK is accepted as GB, on write and in the filter', async () => {
    const client = newUser()
    const { id, country_code } = await newCompany(client, { country_code: 'UK' })
    assert.equal(country_code, 'GB')
    for (const code of ['UK', 'uk', 'GB'])
      assert.ok(idsOf(await dataOf(client.get(query('/api/companies', { country_code: code })))).includes(id))
  })

  for (const [path, filter, value] of [
    ['/api/companies', 'status', 'No Such Status'],
    ['/api/companies', 'status', '2nd round?'],
    ['/api/companies', 'country_code', 'ZZ'],
    ['/api/companies', 'country_code', 'Atlantis'],
    ['/api/companies', 'industry_category', 'No such industry'],
    ['/api/companies', 'search', 'no such company anywhere'],
    ['/api/dealflow', 'stage', 'No Such Stage'],
    ['/api/dealflow', 'status', '???'],
    ['/api/activity', 'entity_id', 'nothing'],
    ['/api/activity', 'user_email', 'anonymous@nowhere.example'],
    ['/api/activity', 'user_email', 'anonymous'],
  ] as const)
    test(`${path}?${filter}=${value}, without a match returns an empty list`, async () => {
      const { data, pagination } = await bodyOf(newUser().get(query(path, { [filter]: value })))
      assert.deepEqual([data, pagination.total], [[], 0])
    })
})
