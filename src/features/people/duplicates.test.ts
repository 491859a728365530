import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const company = async (): Promise<string> =>
  ok(await api.call('POST', '/api/companies', { name: 'Company' })).id
const create = async (name: string, companies: string[] = [], fields: object = {}): Promise<Fields> =>
  ok(
    await api.call('POST', '/api/people', {
      name,
      companies: companies.map((company_id) => ({ company_id })),
      ...fields,
    }),
  )
const pairs = async (query = '') => {
  const { body } = await api.call('GET', `/api/people/duplicates${query}`)
  return [
    body.data.map(({ people, reasons }: Fields) => [...people.map(({ id }: Fields) => id), reasons]),
    body.pagination.total,
  ]
}

test('people with the same address, or the same name at the same company, may be the same', async () => {
  const [one, other] = [await company(), await company()]
  const { id } = await create('Zoë Solberg-Ek', [one], { emails: ['zoe@same.example'] })
  const reversed = await create('EK SOLBERG, Zoe', [other, one])
  assert.deepEqual(reversed.possible_duplicates, [
    {
      person: { id, name: 'Zoë Solberg-Ek', emails: ['zoe@same.example'], headline: null },
      reasons: ['same_name_in_company'],
    },
  ])
  const both = await create('Zoe Ek Solberg', [one], { emails: ['x@same.example', 'zoe@same.example'] })
  assert.deepEqual(
    both.possible_duplicates.map(({ person, reasons }: Fields) => [person.id, reasons]),
    [
      [id, ['same_email', 'same_name_in_company']],
      [reversed.id, ['same_name_in_company']],
    ],
  )
  for (const [name, companies] of [
    ['Z. Solberg-Ek', [one]],
    ['Zoë Solberg', [one]],
    ['Zoë Solberg-Ek', [await company()]],
    ['Zoë Solberg-Ek', []],
  ] as const)
    assert.deepEqual((await create(name, [...companies])).possible_duplicates, [], name)

  const expected = [
    [id, both.id, ['same_email', 'same_name_in_company']],
    [reversed.id, both.id, ['same_name_in_company']],
    [id, reversed.id, ['same_name_in_company']],
  ]
  assert.deepEqual(await pairs(), [expected, 3])
  assert.deepEqual(await pairs('?limit=1&offset=1'), [[expected[1]], 3])
  assert.deepEqual(await pairs(`?person_id=${id}`), [[expected[0], expected[2]], 2])
  ok(await api.call('DELETE', `/api/companies/${one}`))
  assert.deepEqual(await pairs(), [[[id, both.id, ['same_email']]], 1])
  ok(await api.call('POST', `/api/people/${id}/merge`, { from: [both.id] }))
  assert.deepEqual(await pairs(), [[], 0])
  assert.equal((await api.call('GET', '/api/people/duplicates?status=open')).status, 400)
})

test('an address that more than ten people have does not count', async () => {
  for (let n = 0; n < 10; n++) await create(`Shared ${n}`, [], { emails: ['info@shared.example'] })
  assert.equal((await pairs())[1], 45)
  const { possible_duplicates } = await create('Eleventh', [], { emails: ['info@shared.example'] })
  assert.equal(possible_duplicates.length, 10)
  assert.equal((await pairs())[1], 0)
})
