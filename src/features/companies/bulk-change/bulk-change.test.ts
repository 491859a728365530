import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Filter } from '#src/platform/filter/schema.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'
import { newCompany } from '../company-row.ts'
import { insertCompanies } from '../store.ts'

let api: TestApp
let thesis_id: string
before(async () => {
  // With EMBEDDINGS=off, no background task removes companies from the indexing queue.
  api = await testApp({ EMBEDDINGS: 'off', LLM: 'builtin' })
  thesis_id = (await api.call('POST', '/api/theses', { code: 'MANY', title: 'Many' })).body.data.id
})
after(() => api.close())

async function create(n: number, fields: object = {}): Promise<string[]> {
  const companies = Array.from({ length: n }, (_value, index) =>
    newCompany(newId('cmp'), { name: `Many ${index}`, ...fields }),
  )
  await insertCompanies(companies).execute(api.context.db)
  return companies.map(({ id }) => id)
}

const change = (ids: unknown, changes: unknown) => api.call('PATCH', '/api/companies', { ids, changes })
const read = async (id: string) => (await api.call('GET', `/api/companies/${id}`)).body.data
const activityTotal = async () => (await api.call('GET', '/api/activity?limit=1')).body.pagination.total
const toEmbed = async () =>
  (
    await sql<{ company_id: string }>`select company_id from companies_to_embed`.execute(api.context.db)
  ).rows.map(({ company_id }) => company_id)

test('companies are changed together, and each change is recorded', async () => {
  const [first = '', ...others] = await create(3, { industry_category: 'Old' })
  const [same = ''] = await create(1, { industry_category: 'New', status: 'acquired', thesis_id })
  const before = await read(same)
  const total = await activityTotal()
  await sql`delete from companies_to_embed`.execute(api.context.db)
  await api.call('PATCH', `/api/companies/${first}`, { status: 'acquired' })
  const { status, body } = await change([same, first, ...others], {
    status: 'acquired',
    thesis_id,
    industry_category: ' New ',
  })
  assert.equal(status, 200)
  assert.match(body.data.action_id, /^ax_/)
  assert.deepEqual([body.data.updated, body.data.unchanged], [3, 1])
  for (const [id, fields] of [
    [first, ['thesis_id', 'industry_category']],
    [others[0] as string, ['status', 'thesis_id', 'industry_category']],
  ] as const) {
    const { company, recent_activity } = await read(id)
    assert.deepEqual(
      [company.status, company.thesis_id, company.industry_category],
      ['acquired', thesis_id, 'New'],
    )
    assert.ok(company.updated_at > company.created_at)
    const [{ activity_type, user_email, metadata }] = recent_activity
    assert.deepEqual([activity_type, user_email], ['company_updated', ada])
    assert.deepEqual(metadata.fields.toSorted(), fields.toSorted())
  }
  assert.deepEqual(await read(same), before)
  assert.equal(await activityTotal(), total + 4)
  assert.deepEqual((await toEmbed()).sort(), [first, ...others].sort())
  const facets = (await api.call('GET', `/api/companies/facets?thesis_id=${thesis_id}`)).body.data
  assert.equal(facets.total, 4)
})

test('null clears a field, and a change without effect writes nothing', async () => {
  const ids = await create(2, { industry_category: 'Old', thesis_id })
  const cleared = await change(ids, { thesis_id: null, industry_category: null })
  assert.deepEqual([cleared.body.data.updated, cleared.body.data.unchanged], [2, 0])
  const before = await read(ids[0] as string)
  assert.deepEqual([before.company.thesis_id, before.company.industry_category], [null, null])
  const again = await change(ids, { thesis_id: null, industry_category: null })
  assert.deepEqual(again.body.data, { updated: 0, unchanged: 2, action_id: null })
  assert.deepEqual(await read(ids[0] as string), before)
})

test('an invalid request is a 400 that names the field, and nothing is changed', async () => {
  const [id = ''] = await create(1)
  const total = await activityTotal()
  const wrong: [unknown, unknown, RegExp][] = [
    [
      [id, 'cmp_a', 'cmp_b', 'cmp_c', 'cmp_d'],
      { status: 'x' },
      /^ids must be ids of companies; none has the id cmp_a or cmp_b or cmp_c\. POST \/api\/companies creates one\.$/,
    ],
    [
      [id],
      { thesis_id: 'th_none', status: 'x' },
      /^thesis_id must be the id of a thesis; none has the id th_none/,
    ],
    [[id], {}, /^changes must contain at least one field to change/],
    [[id], { name: 'x' }, /name is not a known field. Known here: thesis_id, status, industry_category/],
    [[id], { status: null }, /^changes.status must be a word/],
    [[id], { status: 'Not a word!' }, /^changes.status must be a word of lowercase letters/],
    [[id], { industry_category: ' ' }, /^changes.industry_category must be text .* not blank/],
    [[], { status: 'x' }, /^ids must be an array of 1 to 10000 items/],
    [
      Array.from({ length: 10_001 }, (_value, n) => `c${n}`),
      { status: 'x' },
      /^ids must be an array of 1 to 10000/,
    ],
    [id, { status: 'x' }, /^ids must be an array/],
    [[5], { status: 'x' }, /^ids\[0\] must be text/],
    [undefined, { status: 'x' }, /^ids is required/],
    [[id], undefined, /^changes is required/],
  ]
  for (const [ids, changes, message] of wrong) {
    const { status, body } = await change(ids, changes)
    assert.equal(status, 400, JSON.stringify(changes))
    assert.match(body.details, message)
  }
  assert.equal((await read(id)).company.status, 'active')
  assert.equal(await activityTotal(), total)
})

test('of two requests for the same ten thousand companies, none is half done', { skip: slow }, async () => {
  const ids = await create(10_000)
  const changeAll = async (order: string[], tag: string, changes: object) => {
    const answer = await change(order, { ...changes, add_tags: [tag] })
    if (answer.status !== 503) return answer
    // On a slow machine, the second waits longer than a request may.
    const { pagination } = (await api.call('GET', `/api/companies?tags=${tag}&limit=1`)).body
    assert.equal(pagination.total, 0)
    return change(order, { ...changes, add_tags: [tag] })
  }
  const answers = await Promise.all([
    changeAll(ids, 'first', { status: 'inactive' }),
    changeAll(ids.toReversed(), 'second', { industry_category: 'Both' }),
  ])
  for (const { status, body } of answers) {
    assert.equal(status, 200, body.details)
    assert.equal(body.data.updated + body.data.unchanged, 10_000)
  }
  for (const tag of ['first', 'second']) {
    const query = `industry_category=Both&status=inactive&tags=${tag}&limit=1`
    const { pagination } = (await api.call('GET', `/api/companies?${query}`)).body
    assert.equal(pagination.total, 10_000)
  }
})

test('concurrent changes and bulk actions on the same companies do not deadlock, whatever their order', async () => {
  const ids = await create(500)
  const backwards = ids.toReversed()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_value, turn) =>
      turn % 2 === 0
        ? change(ids, { status: `turn_${turn}` })
        : api.call('POST', '/api/bulk-actions', {
            action_type: 'enrich_profile',
            company_ids: backwards,
          }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 201, 200, 201, 200, 201],
    JSON.stringify(answers.map(({ body }) => body.details)),
  )
})

test('a request that waits too long for a locked company is a 503, and nothing is changed', {
  skip: slow || (!testServer && 'needs a second connection'),
}, async () => {
  const [first = '', second = ''] = await create(2, { status: 'active' })
  const answer = await api.context.db.transaction().execute(async (transaction) => {
    await sql`select id from companies where id = ${second} for update`.execute(transaction)
    return change([first, second], { status: 'inactive' })
  })
  assert.equal(answer.status, 503)
  assert.equal(answer.body.details, 'Other requests are changing the same records. Try again in a moment.')
  assert.equal((await read(first)).company.status, 'active')
})

test('companies that match a filter are changed together, if they are as many as expected', async () => {
  await api.call('POST', '/api/companies', { name: 'Target 1', industry_category: 'Targets' })
  await api.call('POST', '/api/companies', { name: 'Target 2', industry_category: 'Targets' })
  const filter: Filter = { field: 'industry_category', op: 'eq', value: 'Targets' }
  const changeMatching = (body: object) =>
    api.call('PATCH', '/api/companies', { changes: { status: 'inactive' }, ...body })
  const wrong = await changeMatching({ filter, expect: 3 })
  assert.equal(wrong.status, 409)
  assert.equal(wrong.body.details, 'expect is 3, but there are 2 companies now. Nothing was changed.')
  const changed = await changeMatching({ filter, expect: 2 })
  assert.deepEqual([changed.status, changed.body.data.updated], [200, 2])
  const undone = await api.call('POST', `/api/actions/${changed.body.data.action_id}/undo`, {})
  assert.equal(undone.body.data.reverted, 2)
  const searched = await changeMatching({ filter, search: 'target 2' })
  assert.equal(searched.body.data.updated, 1)
  for (const [body, message] of [
    [{}, /^ids is required, or a filter\./],
    [{ filter: null, search: '' }, /^ids is required, or a filter\./],
    [{ search: ' ' }, /^ids is required, or a filter\./],
    [{ filter, ids: ['cmp_a'] }, /^ids cannot be combined with filter or search/],
    [{ filter: { field: 'name', op: 'eq', value: 'nobody' } }, /^filter must match at least one company/],
    [
      { filter: { field: 'nam', op: 'eq', value: 'x' } },
      /^filter\.field must be the name of a field, not "nam"/,
    ],
    [{ filter, expect: 0 }, /^expect must be a whole number from 1 to 10000/],
  ] as const) {
    const { status, body: answer } = await changeMatching(body)
    assert.equal(status, 400)
    assert.match(answer.details, message)
  }
  const action = (body: object) =>
    api.call('POST', '/api/bulk-actions', { action_type: 'generate_embeddings', ...body })
  const started = await action({ filter, expect: 2 })
  assert.deepEqual([started.status, started.body.data.total_companies], [201, 2])
  assert.equal((await action({ filter, expect: 1 })).status, 409)
  assert.match((await action({})).body.details, /^company_ids is required, or a filter\./)
  assert.match((await action({ filter, company_ids: ['x'] })).body.details, /^company_ids cannot be combined/)
})
