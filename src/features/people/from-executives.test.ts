import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newCompany } from '#src/features/companies/company-row.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { newId } from '#src/platform/ids.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off', ENFORCE_ROLES: 'true', ADMIN_EMAILS: ada })
  await api.call('GET', `/api/users/${ada}`)
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const as = (user: string) => ({ headers: { 'x-user-email': user } })
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const company = async (fields: object): Promise<string> =>
  ok(await api.call('POST', '/api/companies', { name: 'Company', ...fields }, as(ada))).id
const make = (body: object, user = ada) => api.call('POST', '/api/people/from-executives', body, as(user))
const namesOf = async (id: string) =>
  ok(await api.call('GET', `/api/companies/${id}/people`, undefined, as(ada))).map(
    ({ name, link }: Fields) => [name, link.role, link.is_primary],
  )
const undo = async (action_id: string) =>
  ok(await api.call('POST', `/api/actions/${action_id}/undo`, {}, as(ada)))

test('executives of many companies become people once, as one action that is undone at once', async () => {
  const one = await company({
    executives: [{ name: 'Zoë Ek', title: 'CEO' }, 'ZOE EK', { title: 'CFO' }],
    hq_city: 'Bulk',
  })
  const two = await company({ executives: [{ name: 'Zoë Ek', title: 'Board' }, 'Bo Li'], hq_city: 'Bulk' })
  await company({ executives: ['Not selected'] })
  const body = { filter: { field: 'hq_city', op: 'eq', value: 'Bulk' }, expect: 2 }
  const answer = await make(body)
  const made = ok(answer)
  assert.equal(answer.headers['x-action-id'], made.action_id)
  const counts = { companies: 2, created: 3, existing: 1, skipped: 1 }
  assert.deepEqual(made, { action_id: made.action_id, ...counts })
  assert.deepEqual(await namesOf(one), [['Zoë Ek', 'CEO', true]])
  assert.deepEqual(await namesOf(two), [
    ['Bo Li', null, true],
    ['Zoë Ek', 'Board', true],
  ])
  const again = ok(await make({ ids: [two, one, two] }))
  assert.deepEqual(again, { action_id: null, companies: 2, created: 0, existing: 4, skipped: 1 })
  assert.equal((await undo(made.action_id)).reverted, 3)
  assert.deepEqual([await namesOf(one), await namesOf(two)], [[], []])
  assert.equal(ok(await make(body)).created, 3)
})

test('a wrong selection is an error that names it, and creates nobody', async () => {
  const id = await company({ executives: ['Somebody'] })
  const filter = { field: 'id', op: 'eq', value: id }
  for (const [body, status, details] of [
    [{}, 400, /ids is required, or a filter/],
    [{ ids: [id], search: 'x' }, 400, /ids cannot be combined with filter or search/],
    [{ ids: [id, 'cmp_gone'] }, 400, /ids must be ids of companies.*cmp_gone/],
    [{ ids: [] }, 400, /ids must be an array of 1 to 10000 items/],
    [{ filter: { field: 'emails', op: 'is_empty' } }, 400, /filter\.field/],
    [{ filter, expect: 2 }, 409, /expect is 2, but there are 1 companies now/],
    [{ search: 'nothing at all' }, 400, /filter must match at least one company/],
  ] as const) {
    const answer = await make(body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    assert.match(answer.body.details, details)
  }
  assert.deepEqual(await namesOf(id), [])
})

test('members create at most 1,000 people of 1,000 companies at once, partners more', {
  skip: slow,
}, async () => {
  const member = 'mo@example.com'
  await api.call('GET', `/api/users/${member}`, undefined, as(member))
  const insert = async (count: number, executives: string[]) => {
    const rows = Array.from({ length: count }, () => newCompany(newId('cmp'), { name: 'Many', executives }))
    await insertCompanies(rows).execute(api.context.db)
    return rows.map(({ id }) => id)
  }
  const ids = await insert(501, ['One', 'Two'])
  const refused = await make({ ids }, member)
  assert.equal(refused.status, 403)
  assert.match(refused.body.details, /1,?000/)
  assert.deepEqual(await namesOf(ids[0] as string), [])
  assert.equal((await make({ ids: await insert(1001, []) }, member)).status, 403)
  const { created, action_id } = ok(await make({ ids }))
  assert.equal(created, 1002)
  assert.equal((await undo(action_id)).reverted, 1002)
})
