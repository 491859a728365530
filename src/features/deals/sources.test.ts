import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { COUNTERS } from '#src/counters.ts'
import { eraseUser } from '#src/features/privacy/index.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
let target: string
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
  target = await company('Target')
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const company = async (name: string): Promise<string> =>
  ok(await api.call('POST', '/api/companies', { name })).id
const person = async (name: string): Promise<string> => ok(await api.call('POST', '/api/people', { name })).id
const createDeal = async (fields: object = {}): Promise<Fields> =>
  ok(await api.call('POST', '/api/dealflow', { company_id: target, ...fields }))
const change = (id: string, patch: object) => api.call('PATCH', `/api/dealflow/${id}`, patch)
const undo = async ({ headers }: Answer): Promise<Fields> =>
  ok(await api.call('POST', `/api/actions/${headers['x-action-id']}/undo`, {}))
const remove = async (path: string) => api.call('DELETE', path)
const restore = async (id: string) => ok(await api.call('POST', `/api/trash/${id}/restore`))
const merge = (id: string, from: string[]) => api.call('POST', `/api/companies/${id}/merge`, { from })
const sourceIn = ({ source_type, source_id, source_name }: Fields) => [source_type, source_id, source_name]
const sourceOf = async (id: string) => sourceIn(ok(await api.call('GET', `/api/dealflow/${id}`)))
const NONE = [null, null, null]

test('a person, a company, a colleague, or a channel brings a deal', async () => {
  const [ingrid, fund] = [await person('Ingrid Solberg'), await company('Baltic Fund')]
  ok(await api.call('GET', '/api/users/kim@example.com'))
  for (const [source_type, source_id, name] of [
    ['person', ingrid, 'Ingrid Solberg'],
    ['company', fund, 'Baltic Fund'],
    ['user', 'kim@example.com', 'Kim'],
    ['channel', 'inbound', 'Inbound'],
  ] as const) {
    const deal = await createDeal({ source: 'By mail', source_type, source_id })
    assert.deepEqual([deal.source, ...sourceIn(deal)], ['By mail', source_type, source_id, name])
    const same = await change(deal.id, { ...deal, source_name: 'Someone else' })
    assert.equal(same.headers['x-action-id'], undefined, JSON.stringify(same.body))
    const cleared = await change(deal.id, { source_type: null })
    assert.deepEqual(sourceIn(ok(cleared)), NONE)
    await undo(cleared)
    assert.deepEqual(await sourceOf(deal.id), [source_type, source_id, name])
    const { data } = (await api.call('GET', `/api/dealflow/${deal.id}/history`)).body
    assert.deepEqual(
      data
        .slice(0, 2)
        .map(({ field, to }: Fields) => [field, to])
        .sort(),
      [
        ['source_id', source_id],
        ['source_type', source_type],
      ],
    )
  }
  const spelled = await createDeal({ source_type: 'User', source_id: ' Kim@Example.com' })
  assert.deepEqual(sourceIn(spelled), ['user', 'kim@example.com', 'Kim'])
  const event = ok(await change(spelled.id, { source_type: 'channel', source_id: 'Event' }))
  assert.deepEqual(sourceIn(event), ['channel', 'event', 'Event'])
  assert.deepEqual(sourceIn(ok(await change(event.id, { source_id: 'other' }))), [
    'channel',
    'other',
    'Other',
  ])
})

test('an incomplete or unknown source is a 400 that says what is missing, and changes nothing', async () => {
  const [gone, kept, merged] = [await person('Gone'), await company('Kept'), await company('Merged')]
  const deal = await createDeal({ source_type: 'company', source_id: kept })
  const empty = await createDeal()
  await remove(`/api/people/${gone}`)
  ok(await merge(kept, [merged]))
  const emailMessage = /source_id must be the email address of a user, not "no@example\.com"/
  for (const [id, patch, message] of [
    [empty.id, { source_id: kept }, /source_type is missing: source_id needs one of person, company, user/],
    [empty.id, { source_type: null, source_id: kept }, /source_type is missing/],
    [empty.id, { source_type: 'company' }, /source_id is missing: .* it must be the id of a company/],
    [
      deal.id,
      { source_type: 'channel' },
      /source_id is missing: .* one of inbound, event, .*null clears both/,
    ],
    [deal.id, { source_id: null }, /source_id is missing/],
    [deal.id, { source_type: null, source_id: 'inbound' }, /source_type is missing/],
    [deal.id, { source_type: 'friend', source_id: kept }, /source_type must be one of person, company, user/],
    [
      deal.id,
      { source_type: 'person', source_id: kept },
      /source_id must be the id of a person.*POST \/api\/people/,
    ],
    [
      deal.id,
      { source_id: 'cmp_none' },
      /source_id must be the id of a company.*cmp_none.*POST \/api\/companies/,
    ],
    [deal.id, { source_type: 'person', source_id: gone }, /is in the trash\. POST \/api\/trash\/per_/],
    [deal.id, { source_id: merged }, /was merged into cmp_/],
    [deal.id, { source_type: 'user', source_id: 'no@example.com' }, emailMessage],
    [
      deal.id,
      { source_type: 'channel', source_id: 'radio' },
      /must be one of inbound, .*other.*, not "radio"/,
    ],
  ] as const) {
    for (const answer of [
      await change(id, patch),
      await api.call('PATCH', '/api/dealflow', { ids: [id], changes: patch }),
    ]) {
      assert.equal(answer.status, 400, JSON.stringify(patch))
      assert.match(answer.body.details, message)
    }
  }
  const refused = await api.call('POST', '/api/dealflow', { company_id: target, source_type: 'user' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.details, /source_id is missing/)
  assert.deepEqual(await sourceOf(deal.id), ['company', kept, 'Kept'])
  assert.deepEqual(await sourceOf(empty.id), NONE)
})

test('deals are filtered and sorted by their source, and changed together', async () => {
  const anna = await person('Anna Berg')
  const fund = await company('Zephyr Fund')
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await createDeal({ stage: 'of_sources' })).id)
  const [one, two, three] = ids as [string, string, string]
  const both = { ids: [one, two], changes: { source_type: 'person', source_id: anna } }
  assert.equal(ok(await api.call('PATCH', '/api/dealflow', both)).updated, 2)
  ok(await change(three, { source_type: 'company', source_id: fund }))
  const list = async (query: string) =>
    (await api.call('GET', `/api/dealflow?stage=of_sources&${query}`)).body.data.map(({ id }: Fields) => id)
  assert.deepEqual(await list(`source_id=${anna}`), [two, one])
  assert.deepEqual(await list(`source_type=company&source_type=user`), [three])
  const filter = (field: string, op: string, value?: unknown) =>
    `filter=${encodeURIComponent(JSON.stringify({ field, op, value }))}`
  assert.deepEqual(await list(filter('source_id', 'eq', fund)), [three])
  assert.deepEqual(await list(filter('source_type', 'in', ['person'])), [two, one])
  assert.deepEqual(await list(filter('source_name', 'contains', 'anna')), [two, one])
  assert.deepEqual(await list('sort=-source_name'), [three, two, one])
  assert.deepEqual(await list('sort=source_type'), [three, one, two])
  assert.equal((await api.call('GET', '/api/dealflow?source_type=friend')).status, 400)
})

test('a deal keeps a source that is in the trash or purged, without its name, and an undo does not bring it back', async () => {
  const [ingrid, fund] = [await person('Ingrid'), await company('Fund')]
  const deal = await createDeal({ source_type: 'person', source_id: ingrid })
  const changed = await change(deal.id, { source_type: 'company', source_id: fund })
  await remove(`/api/people/${ingrid}`)
  const skipped = (field: string, reason: string) => ({
    entity_type: 'dealflow',
    entity_id: deal.id,
    field,
    reason,
  })
  const both = (reason: string) => [skipped('source_type', reason), skipped('source_id', reason)]
  assert.deepEqual((await undo(changed)).skipped, both('record_missing'))
  await remove(`/api/companies/${fund}`)
  assert.deepEqual(await sourceOf(deal.id), ['company', fund, null])
  ok(await change(deal.id, { notes: 'n', source_type: 'company', source_id: fund }))
  await remove(`/api/dealflow/${deal.id}`)
  await restore(deal.id)
  await restore(fund)
  assert.deepEqual(await sourceOf(deal.id), ['company', fund, 'Fund'])
  await restore(ingrid)
  assert.deepEqual((await undo(changed)).skipped, [])
  assert.deepEqual(await sourceOf(deal.id), ['person', ingrid, 'Ingrid'])
  await remove(`/api/people/${ingrid}`)
  assert.equal((await remove(`/api/trash/${ingrid}`)).status, 204)
  assert.deepEqual(await sourceOf(deal.id), ['person', ingrid, null])
})

test('an undo leaves a source alone of which one part has changed since', async () => {
  const [first, second] = [await company('First'), await company('Second')]
  const deal = await createDeal()
  const set = await change(deal.id, { source_type: 'company', source_id: first })
  ok(await change(deal.id, { source_id: second }))
  const { reverted, skipped } = await undo(set)
  assert.equal(reverted, 0)
  assert.deepEqual(skipped.map(({ field, reason }: Fields) => [field, reason]).sort(), [
    ['source_id', 'changed_since'],
    ['source_type', 'changed_since'],
  ])
  assert.deepEqual(await sourceOf(deal.id), ['company', second, 'Second'])
})

test('a merge of companies makes the survivor the source, also of deals in the trash, until it is undone', async () => {
  const [survivor, merged, other] = [
    await company('Survivor'),
    await company('Merged'),
    await company('Other'),
  ]
  const source = { source_type: 'company', source_id: merged }
  const brought = await createDeal(source)
  const own = await createDeal({ ...source, company_id: merged })
  const trashed = await createDeal(source)
  const withCompany = await createDeal({ ...source, company_id: other })
  await remove(`/api/dealflow/${trashed.id}`)
  await remove(`/api/companies/${other}`)
  const answer = await merge(survivor, [merged])
  ok(answer)
  const time = new Date().toISOString()
  await restore(trashed.id)
  await restore(other)
  const deals = [brought, own, trashed, withCompany]
  for (const { id } of deals) assert.deepEqual(await sourceOf(id), ['company', survivor, 'Survivor'])
  const undone = await undo(answer)
  assert.deepEqual(undone.skipped, [])
  for (const { id } of [brought, own]) assert.deepEqual(await sourceOf(id), ['company', merged, 'Merged'])
  assert.equal(ok(await api.call('GET', `/api/dealflow/${own.id}`)).company_id, merged)
  // These were moved when they were restored.
  for (const { id } of [trashed, withCompany])
    assert.deepEqual(await sourceOf(id), ['company', survivor, 'Survivor'])
  const past = ok(await api.call('GET', `/api/companies/${target}?as_of=${time}`)).deals
  assert.deepEqual(sourceIn(past.find(({ id }: Fields) => id === brought.id)), [
    'company',
    survivor,
    'Survivor',
  ])
  ok(await api.call('POST', `/api/actions/${undone.action_id}/undo`, {}))
  for (const { id } of deals) assert.deepEqual(await sourceOf(id), ['company', survivor, 'Survivor'])
})

test('the erasure of a colleague replaces the address', async () => {
  ok(await api.call('GET', '/api/users/leaving@example.com'))
  const deal = await createDeal({ source_type: 'user', source_id: 'leaving@example.com' })
  await api.context.audit.flush()
  const { db } = api.context
  const erasure = await eraseUser(db, COUNTERS, 'leaving@example.com', api.config.authentication)
  assert.deepEqual(await sourceOf(deal.id), ['user', erasure?.pseudonym, 'Erased user'])
})
