import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { profileKey, sourceKey } from '#src/features/companies/files.ts'
import { RECORD_KINDS } from '#src/kinds.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off' })
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const get = async (url: string) => ok(await api.call('GET', url))
const post = async (url: string, body?: object) => ok(await api.call('POST', url, body))
const create = async (fields: object): Promise<string> => (await post('/api/companies', fields)).id
const createDeal = async (company_id: string, fields: object = {}): Promise<string> =>
  (await post('/api/dealflow', { company_id, ...fields })).id
const merge = (id: string, from: string[], options: object = {}) =>
  api.call('POST', `/api/companies/${id}/merge`, { from, ...options })
const undo = (id: string) => api.call('POST', `/api/actions/${id}/undo`, {})
const importCsv = async (csv: string, query = '') =>
  ok(
    await api.call('POST', `/api/companies/import${query}`, undefined, {
      headers: { 'x-user-email': 'ada@example.com', 'content-type': 'text/csv' },
      payload: csv,
    }),
  )
/** Waits until files that were looked up before are looked up again. */
const writeFile = (key: string, content: string) => api.context.objects.write([[key, content]])

test('a merge shows what it would do, does it, and is undone', async () => {
  const survivor = await create({ name: 'Nordlys AS', hq_city: 'Oslo' })
  const other = await create({ name: 'Nordlys', website: 'https://nordlys.example', hq_city: 'Bergen' })
  const deal = await createDeal(other, { probability: 40 })
  const previous = await get(`/api/companies/${other}`)
  const choose = { name: other }

  const preview = ok(await merge(survivor, [other], { choose, dry_run: true }))
  assert.equal((await get(`/api/companies/${survivor}`)).company.website, null)
  assert.equal(preview.action_id, null)
  const answer = await merge(survivor, [other, other], { choose })
  const { action_id, company, conflicts, moved } = ok(answer)
  assert.equal(answer.headers['x-action-id'], action_id)
  assert.deepEqual([preview.conflicts, preview.moved], [conflicts, moved])
  assert.deepEqual({ ...preview.company, updated_at: company.updated_at }, company)
  assert.deepEqual(
    [company.id, company.name, company.website, company.hq_city],
    [survivor, 'Nordlys', 'https://nordlys.example', 'Oslo'],
  )
  assert.deepEqual(conflicts, [
    {
      field: 'name',
      values: { [survivor]: 'Nordlys AS', [other]: 'Nordlys' },
      chosen: other,
      truncated: false,
    },
    {
      field: 'hq_city',
      values: { [survivor]: 'Oslo', [other]: 'Bergen' },
      chosen: survivor,
      truncated: false,
    },
  ])
  assert.deepEqual(moved, {
    ...{ deals: 1, decisions: 0, activity: 2, files: 0 },
    ...{ bulk_actions: 0, people: 0, notes: 0, tasks: 0, attached_files: 0 },
  })

  const detail = await get(`/api/companies/${survivor}`)
  assert.deepEqual(
    detail.deals.map((record: Fields) => [record.id, record.company_name]),
    [[deal, 'Nordlys']],
  )
  assert.ok(detail.recent_activity.some(({ entity_id }: Fields) => entity_id === other))
  assert.deepEqual(await get(`/api/companies?ids=${other}`), [])
  assert.deepEqual(await get('/api/trash?entity_type=company'), [])
  const { kind, records } = await get(`/api/actions/${action_id}`)
  assert.deepEqual([kind, records], ['merge', 3])
  const history = await get(`/api/dealflow/${deal}/history`)
  assert.deepEqual(
    [history[0].field, history[0].from, history[0].to, history[0].via],
    ['company_id', other, survivor, 'merge'],
  )

  const undone = ok(await undo(action_id))
  assert.deepEqual([undone.reverted, undone.skipped], [3, []])
  const back = await get(`/api/companies/${other}`)
  assert.deepEqual(back.company, previous.company)
  assert.deepEqual({ ...back.deals[0], updated_at: null }, { ...previous.deals[0], updated_at: null })
  const { company: split, deals } = await get(`/api/companies/${survivor}`)
  assert.deepEqual([split.name, split.website, deals], ['Nordlys AS', null, []])

  const asItWas = await get(`/api/companies/${survivor}?as_of=${company.updated_at}`)
  assert.deepEqual([asItWas.company.name, asItWas.deals[0]?.id], ['Nordlys', deal])
  const merged = await api.call('GET', `/api/companies/${other}?as_of=${company.updated_at}`)
  assert.equal(merged.status, 404)
  assert.equal((await undo(action_id)).status, 409)
})

test("a merged company's address redirects, and writes to it say where it is", async () => {
  const survivor = await create({ name: 'Survivor' })
  const other = await create({ name: 'Other' })
  ok(await merge(survivor, [other]))
  for (const suffix of ['', '?as_of=2026-03-01T00:00:00Z', '/history?limit=1']) {
    const { status, headers, body } = await api.call('GET', `/api/companies/${other}${suffix}`)
    assert.deepEqual(
      [status, headers.location, headers['cache-control']],
      [301, `/api/companies/${survivor}${suffix}`, 'no-store'],
    )
    assert.match(body.details, new RegExp(`${other} was merged into ${survivor}`))
  }
  const message = new RegExp(`${other} was merged into ${survivor}`)
  const refused: [Promise<Answer>, number][] = [
    [api.call('PATCH', `/api/companies/${other}`, { name: 'New' }), 409],
    [api.call('DELETE', `/api/companies/${other}`), 409],
    [api.call('POST', `/api/trash/${other}/restore`), 409],
    [api.call('DELETE', `/api/trash/${other}`), 409],
    [merge(other, [survivor]), 409],
    [merge(survivor, [other]), 400],
    [api.call('DELETE', '/api/companies', { ids: [other] }), 400],
    [api.call('PATCH', '/api/companies', { ids: [other], changes: { status: 'inactive' } }), 400],
    [api.call('POST', '/api/dealflow', { company_id: other }), 400],
    [api.call('POST', '/api/bulk-actions', { action_type: 'llm_score', company_ids: [other] }), 400],
  ]
  for (const [request, status] of refused) {
    const answer = await request
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    assert.match(answer.body.details, message)
  }
})

test('a merge of the wrong companies is refused and changes nothing', async () => {
  const [id, other, trashed] = [
    await create({ name: 'Alpha' }),
    await create({ name: 'Beta' }),
    await create({ name: 'Gamma' }),
  ]
  ok(await api.call('DELETE', `/api/companies/${trashed}`))
  const cases: [string[], object, RegExp][] = [
    [[id], {}, /from must be ids of other companies: cmp_\w+ cannot be merged with itself/],
    [[], {}, /from must/],
    [Array.from({ length: 1000 }, () => other), {}, /from must .*50/],
    [[trashed], {}, /from must be ids of companies; cmp_\w+ is in the trash\. POST .* brings it back/],
    [[other, 'cmp_none'], {}, /from must be ids of companies; none has the id cmp_none/],
    [[other], { choose: { nam: id } }, /choose\.nam is not a field .* Allowed: name,/],
    [[other], { choose: { name: trashed } }, /choose\.name must be the id of one of the merged companies/],
    [[other], { choose: { name: 1 } }, /choose/],
  ]
  for (const [from, options, message] of cases) {
    const { status, body } = await merge(id, from, options)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body.details, message)
  }
  assert.equal((await merge('cmp_none', [other])).status, 404)
  assert.equal((await merge(trashed, [other])).status, 404)
  assert.equal((await get(`/api/companies/${other}`)).company.name, 'Beta')
})

test('merges of merges are undone from the last one on', async () => {
  const [a, b, c] = [await create({ name: 'A' }), await create({ name: 'B' }), await create({ name: 'C' })]
  const deal = await createDeal(a)
  const first = ok(await merge(b, [a])).action_id
  const second = ok(await merge(c, [b])).action_id
  assert.equal((await api.call('GET', `/api/companies/${a}`)).headers.location, `/api/companies/${c}`)
  const early = await undo(first)
  assert.equal(early.status, 409)
  assert.match(
    early.body.details,
    new RegExp(`${b} was merged into ${c} since\\. POST /api/actions/${second}/undo`),
  )
  const undone = ok(await undo(second))
  assert.equal((await api.call('GET', `/api/companies/${a}`)).headers.location, `/api/companies/${b}`)
  assert.equal((await get(`/api/dealflow/${deal}`)).company_id, b)

  // Undoing the undo merges again.
  const again = ok(await undo(undone.action_id)).action_id
  assert.equal((await get(`/api/dealflow/${deal}`)).company_id, c)
  assert.equal((await api.call('GET', `/api/companies/${b}`)).status, 301)
  ok(await undo(again))
  ok(await undo(first))
  assert.equal((await get(`/api/dealflow/${deal}`)).company_id, a)
  assert.equal((await get(`/api/companies/${b}`)).company.name, 'B')
})

test('what has changed since a merge stays, and is listed by its undo', async () => {
  const [id, other] = [await create({ name: 'Keeper' }), await create({ name: 'Other', hq_city: 'Ulm' })]
  const [moved, deleted] = [await createDeal(other), await createDeal(other)]
  const change = await api.call('PATCH', `/api/companies/${other}`, { founded_year: 1999 })
  const { action_id } = ok(await merge(id, [other]))
  ok(await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Bonn' }))
  ok(await api.call('PATCH', `/api/dealflow/${moved}`, { stage: 'meeting' }))
  ok(await api.call('DELETE', `/api/dealflow/${deleted}`))
  const skippedChange = ok(await undo(String(change.headers['x-action-id'])))
  assert.deepEqual(skippedChange.skipped, [
    { entity_type: 'company', entity_id: other, field: null, reason: 'merged' },
  ])
  const { reverted, skipped } = ok(await undo(action_id))
  assert.equal(reverted, 3)
  assert.deepEqual(
    skipped.map(({ entity_id, field, reason }: Fields) => [entity_id, field, reason]),
    [
      [id, 'hq_city', 'changed_since'],
      [deleted, null, 'in_trash'],
    ],
  )
  const { company_id, stage } = await get(`/api/dealflow/${moved}`)
  assert.deepEqual([company_id, stage], [other, 'meeting'])
  assert.equal((await get(`/api/companies/${id}`)).company.founded_year, null)
})

test('a deal that was deleted before a merge is restored to the survivor', async () => {
  const [id, other] = [await create({ name: 'Keeper' }), await create({ name: 'Other' })]
  const deal = await createDeal(other)
  ok(await api.call('DELETE', `/api/dealflow/${deal}`))
  ok(await merge(id, [other]))
  ok(await api.call('POST', `/api/trash/${deal}/restore`))
  assert.equal((await get(`/api/dealflow/${deal}`)).company_id, id)
  const [entry] = await get(`/api/dealflow/${deal}/history`)
  assert.deepEqual([entry.field, entry.from, entry.to], ['company_id', other, id])
})

test("a merged company shares the survivor's trash and purge", async () => {
  const [id, other] = [await create({ name: 'Short-lived' }), await create({ name: 'Part' })]
  const { action_id } = ok(await merge(id, [other]))
  ok(await api.call('DELETE', `/api/companies/${id}`))
  const gone = await api.call('GET', `/api/companies/${other}`)
  assert.equal(gone.status, 404)
  assert.match(gone.body.details, new RegExp(`was merged into ${id}, which is in the trash`))
  const refused = await undo(action_id)
  assert.equal(refused.status, 409)
  assert.match(refused.body.details, new RegExp(`POST /api/trash/${id}/restore brings it back first`))
  ok(await api.call('POST', `/api/trash/${id}/restore`))
  assert.equal((await api.call('GET', `/api/companies/${other}`)).status, 301)

  ok(await api.call('DELETE', `/api/companies/${id}`))
  ok(await api.call('DELETE', `/api/trash/${id}`))
  assert.equal((await api.call('GET', `/api/companies/${other}`)).status, 404)
  const undone = ok(await undo(action_id))
  assert.deepEqual([undone.reverted, undone.skipped.map(({ reason }: Fields) => reason)], [0, ['purged']])
})

test('merged companies are kept as long as their survivor', async () => {
  const { purgeExpired } = await import('#src/features/trash/purge.ts')
  const [id, other] = [await create({ name: 'Old' }), await create({ name: 'Older' })]
  const { action_id } = ok(await merge(id, [other]))
  const { db, objects } = api.context
  await sql`update trash set deleted_at = deleted_at - interval '90 days' where id = ${other}`.execute(db)
  await purgeExpired({ db, objects, kinds: RECORD_KINDS }, 30, new AbortController().signal)
  assert.equal((await api.call('GET', `/api/companies/${other}`)).status, 301)
  assert.equal(ok(await undo(action_id)).reverted, 1)
})

test('rows of a merged company only fill in what its survivor does not have', async () => {
  const [id, other] = [
    await create({ name: 'Matched', website: 'https://matched.example' }),
    await create({ name: 'Merged', website: 'https://merged.example' }),
  ]
  ok(await merge(id, [other]))
  const byKey = await importCsv('name,website,hq_city\nMerged,https://merged.example,Bremen\n')
  assert.deepEqual([byKey.created, byKey.updated, byKey.trashed], [0, 1, 0])
  const again = await importCsv('name,website,hq_city\nMerged,https://merged.example,Bonn\n')
  assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, 1])
  const exported = `id,name,thesis_code,llm_score_details,updated_at,industry_category\n${other},Matched,,,,Robots\n`
  const byId = await importCsv(exported, '?on_trashed=restore')
  assert.deepEqual([byId.created, byId.updated, byId.restored], [0, 1, 0])
  const { company } = await get(`/api/companies/${id}`)
  assert.deepEqual(
    [company.name, company.website, company.hq_city, company.industry_category],
    ['Matched', 'https://matched.example', 'Bremen', 'Robots'],
  )
})

test('the survivor has the files of merged companies, unless it has its own', async () => {
  const [id, other] = [await create({ name: 'Filed' }), await create({ name: 'Files' })]
  await writeFile(profileKey(other), '{"summary":"theirs"}')
  await writeFile(sourceKey(other), 'name\nFiles\n')
  await writeFile(sourceKey(id), 'name\nFiled\n')
  const { action_id, moved } = ok(await merge(id, [other]))
  assert.equal(moved.files, 2)
  assert.deepEqual((await get(`/api/companies/${id}`)).company.enriched_data, { summary: 'theirs' })
  const profile = await api.app.inject(`/assets/companies/${id}/profile.json`)
  assert.equal(profile.body, '{"summary":"theirs"}')
  assert.equal((await api.app.inject(`/assets/companies/${id}/source.csv`)).body, 'name\nFiled\n')
  const redirect = await api.app.inject(`/assets/companies/${other}/source.csv`)
  assert.deepEqual(
    [redirect.statusCode, redirect.headers.location],
    [301, `/assets/companies/${id}/source.csv`],
  )
  ok(await undo(action_id))
  assert.equal((await api.app.inject(`/assets/companies/${other}/source.csv`)).body, 'name\nFiles\n')
  assert.equal((await get(`/api/companies/${id}`)).company.enriched_data, null)
})

test('entries in bulk actions move to the survivor, and an undo returns them', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push(await create({ name: `Scored ${n}` }))
  const [id, other, third] = ids as [string, string, string]
  const start = async (company_ids: string[]) =>
    (await post('/api/bulk-actions', { action_type: 'llm_score', company_ids })).id as string
  const both = await start([id, other])
  const separate = await start([other, third])
  const running = await start([other])
  for (const action of [both, separate])
    ok(
      await api.call('PATCH', `/api/bulk-actions/${action}`, {
        status: 'completed',
        processed_companies: 1,
        failed_companies: 1,
      }),
    )
  const placesOf = async (action: string) =>
    (await get(`/api/bulk-actions/${action}/companies`)).map((row: Fields) => [
      row.company_id ?? row.id,
      row.state,
    ])
  const totalOf = async (action: string) => (await get(`/api/bulk-actions/${action}`)).total_companies
  const previous = [await placesOf(both), await placesOf(separate)]
  const { action_id, moved } = ok(await merge(id, [other, third]))
  assert.equal(moved.bulk_actions, 4)
  assert.deepEqual([await totalOf(both), await totalOf(separate), await totalOf(running)], [1, 1, 0])
  assert.deepEqual(
    (await placesOf(separate)).map(([company]: string[]) => company),
    [id],
  )
  ok(await undo(action_id))
  assert.deepEqual([await placesOf(both), await placesOf(separate)], previous)
  assert.deepEqual([await totalOf(both), await totalOf(separate), await totalOf(running)], [2, 2, 1])
})
