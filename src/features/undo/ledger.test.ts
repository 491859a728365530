import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { purgeExpired } from '#src/features/trash/purge.ts'
import { RECORD_KINDS } from '#src/kinds.ts'
import { newId } from '#src/platform/ids.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { whenBlocked } from '#src/testing/locks.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Record = any
const ok = ({ status, body }: Answer): Record => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const get = async (url: string) => ok(await api.call('GET', url))
const create = async (fields: object) => ok(await api.call('POST', '/api/companies', fields))
const patch = (id: string, fields: object) => api.call('PATCH', `/api/companies/${id}`, fields)
const company = async (id: string) => (await get(`/api/companies/${id}`)).company
const actionOf = ({ headers }: Answer) => String(headers['x-action-id'])
const undo = (id: string, dry_run = false) => api.call('POST', `/api/actions/${id}/undo`, { dry_run })
const importCsv = async (csv: string, query = '') =>
  ok(
    await api.call('POST', `/api/companies/import${query}`, undefined, {
      headers: { 'x-user-email': 'ada@example.com', 'content-type': 'text/csv' },
      payload: csv,
    }),
  )

test('history has previous and new values, who changed them, and through which channel', async () => {
  const { id } = await create({ name: 'Alpha', financials: { big: 12345678901234567890n.toString() } })
  const answer = await patch(id, { name: 'Beta', status: 'inactive' })
  await api.call('PATCH', '/api/companies', { ids: [id], changes: { status: 'active' } })
  await importCsv(`id,name,hq_city\n${id},Beta,Berlin\n`)
  const { body } = await api.call('GET', `/api/companies/${id}/history`)
  assert.deepEqual(
    body.data.map(({ field, from, to, via, user_email }: Record) => [field, from, to, via, user_email]),
    [
      ['hq_city', null, 'Berlin', 'import', 'ada@example.com'],
      ['status', 'inactive', 'active', 'request', 'ada@example.com'],
      ['name', 'Alpha', 'Beta', 'request', 'ada@example.com'],
      ['status', 'active', 'inactive', 'request', 'ada@example.com'],
    ],
  )
  assert.equal(body.data[2].action_id, actionOf(answer))
  assert.equal(body.pagination.total, 4)
  const page = await api.call('GET', `/api/companies/${id}/history?field=status&limit=1&offset=1`)
  assert.deepEqual([page.body.pagination.total, page.body.data[0].to], [2, 'inactive'])
  assert.equal((await api.call('GET', '/api/companies/cmp_none/history')).status, 404)
})

test('long values are shortened in lists and whole in the activity record', async () => {
  const { id } = await create({ name: 'Long', activity_description: 'x'.repeat(3000) })
  await patch(id, { activity_description: 'short' })
  const [row] = (await api.call('GET', `/api/companies/${id}/history`)).body.data
  assert.equal(row.truncated, true)
  assert.equal(row.from, `${'x'.repeat(500)}…`)
  const [listed] = await get(`/api/activity?entity_id=${id}&activity_type=company_updated`)
  assert.deepEqual(listed.changes.activity_description, { from: row.from, to: 'short', truncated: true })
  const whole = await get(`/api/activity/${row.activity_id}`)
  assert.equal(whole.changes.activity_description.from.length, 3000)
  assert.equal((await api.call('GET', '/api/activity/act_none')).status, 404)
})

test('activity is filtered by action, time and several types', async () => {
  const { id } = await create({ name: 'Filtered' })
  const changed = await patch(id, { name: 'Filtered again' })
  const deal = ok(await api.call('POST', '/api/dealflow', { company_id: id }))
  const total = async (query: string) =>
    (await api.call('GET', `/api/activity?${query}`)).body.pagination.total
  assert.equal(await total(`action_id=${actionOf(changed)}`), 1)
  assert.equal(await total(`entity_id=${id}&activity_type=company_created,company_updated`), 2)
  assert.equal(
    await total(`entity_id=${id}&activity_type=company_created&activity_type=Company%20Updated`),
    2,
  )
  assert.equal(await total(`entity_id=${id}&until=${changed.body.data.updated_at}`), 1)
  assert.equal(await total(`entity_id=${deal.id}&since=${deal.created_at}`), 1)
  assert.equal((await api.call('GET', '/api/activity?since=yesterday')).status, 400)
})

test('as_of shows the company and its deals as they were', async () => {
  const made = await create({ name: 'Then', executives: [{ name: 'A' }] })
  const deal = ok(await api.call('POST', '/api/dealflow', { company_id: made.id }))
  const first = await get(`/api/companies/${made.id}`)
  await sleep(2)
  const time = new Date().toISOString()
  await sleep(2)
  await patch(made.id, { name: 'Now', executives: null })
  await api.call('PATCH', `/api/dealflow/${deal.id}`, { stage: 'meeting', probability: 10 })
  await api.call('POST', '/api/dealflow', { company_id: made.id })
  const then = await get(`/api/companies/${made.id}?as_of=${time}`)
  assert.deepEqual(
    { ...then, recent_activity: then.recent_activity.map(({ id }: Record) => id) },
    {
      ...first,
      recent_activity: first.recent_activity.map(({ id }: Record) => id),
    },
  )
  const early = await api.call('GET', `/api/companies/${made.id}?as_of=2020-01-01T00:00:00Z`)
  assert.equal(early.status, 404)
  assert.match(early.body.details, /did not exist at 2020-01-01T00:00:00Z: it was created at /)
  const future = await api.call('GET', `/api/companies/${made.id}?as_of=2999-01-01T00:00:00Z`)
  assert.equal(future.status, 400)
  assert.match(future.body.details, /as_of must not be in the future/)
})

test('a deleted company is in no list, and comes back as it was', async () => {
  const thesis = ok(await api.call('POST', '/api/theses', { code: 'GONE', title: 'Gone' }))
  const { id } = await create({ name: 'Deleted Gmbh', thesis_id: thesis.id, revenue_eur: 0.1 })
  const deal = ok(await api.call('POST', '/api/dealflow', { company_id: id, notes: 'n' }))
  const bulk = ok(
    await api.call('POST', '/api/bulk-actions', { action_type: 'generate_embeddings', company_ids: [id] }),
  )
  const beforehand = await get(`/api/companies/${id}`)
  const stats = await get('/api/stats')
  const deleted = await api.call('DELETE', `/api/companies/${id}`)
  assert.equal(deleted.status, 204)
  for (const path of [`companies/${id}`, `companies/${id}/history`, `dealflow/${deal.id}`]) {
    const { status, body } = await api.call('GET', `/api/${path}`)
    assert.equal(status, 404)
    assert.match(body.details, /is in the trash/)
  }
  assert.equal((await patch(id, { name: 'x' })).status, 404)
  assert.equal((await api.call('DELETE', `/api/companies/${id}`)).status, 404)
  assert.equal((await get('/api/stats')).companies_total, stats.companies_total - 1)
  assert.deepEqual(await get('/api/companies?search=deleted+gmbh'), [])
  assert.deepEqual(await get(`/api/dealflow?company_id=${id}`), [])
  assert.equal((await get(`/api/bulk-actions/${bulk.id}`)).total_companies, 0)
  const [entry] = await get('/api/trash?entity_type=company')
  assert.deepEqual([entry.id, entry.name, entry.deals], [id, 'Deleted Gmbh', 1])
  assert.equal((await api.call('POST', `/api/trash/${deal.id}/restore`)).status, 409)

  const restored = ok(await api.call('POST', `/api/trash/${id}/restore`))
  assert.equal(restored.restored, 2)
  const { recent_activity: _activity, ...afterwards } = await get(`/api/companies/${id}`)
  const { recent_activity: _previous, ...original } = beforehand
  assert.deepEqual(afterwards, original)
  assert.equal((await api.call('POST', `/api/trash/${id}/restore`)).status, 404)
  assert.deepEqual(await get('/api/stats'), stats)
})

test('deleting many companies is one atomic action', async () => {
  const ids = []
  for (const name of ['Many A', 'Many B', 'Many C']) ids.push((await create({ name })).id)
  const refused = await api.call('DELETE', '/api/companies', { ids: [...ids, 'cmp_none'] })
  assert.equal(refused.status, 400)
  assert.equal((await company(ids[0])).name, 'Many A')
  const deleted = await api.call('DELETE', '/api/companies', { ids: [...ids, ids[0]] })
  assert.equal(deleted.status, 204)
  const action = await get(`/api/actions/${actionOf(deleted)}`)
  assert.deepEqual(
    [action.kind, action.records, action.undoable, action.activity],
    ['delete', 3, true, { company_deleted: 3 }],
  )
  const twice = await api.call('DELETE', '/api/companies', { ids })
  assert.match(twice.body.details, /is in the trash\./)
  const undone = ok(await undo(actionOf(deleted)))
  assert.deepEqual([undone.reverted, undone.skipped], [3, []])
  assert.equal((await company(ids[2])).name, 'Many C')
})

test('companies that match a filter are deleted together, if they are as many as expected', async () => {
  const ids = []
  for (const name of ['Match A', 'Match B', 'Other'])
    ids.push((await create({ name, hq_city: 'Matchtown' })).id)
  const filter = { field: 'hq_city', op: 'eq', value: 'Matchtown' }
  const remove = (body: object) => api.call('DELETE', '/api/companies', body)
  const wrong = await remove({ filter, search: 'match', expect: 3 })
  assert.equal(wrong.status, 409)
  assert.equal(wrong.body.details, 'expect is 3, but there are 2 companies now. Nothing was changed.')
  assert.match((await remove({})).body.details, /^ids is required, or a filter\./)
  assert.match((await remove({ filter, ids })).body.details, /^ids cannot be combined with filter or search/)
  assert.equal((await remove({ ids, expect: 2 })).status, 409)
  assert.equal((await company(ids[0])).name, 'Match A')
  const deleted = await remove({ filter, search: 'match', expect: 2 })
  assert.equal(deleted.status, 204)
  assert.equal((await api.call('GET', `/api/companies/${ids[1]}`)).status, 404)
  assert.equal((await company(ids[2])).name, 'Other')
  assert.equal(ok(await undo(actionOf(deleted))).reverted, 2)
})

test('a company that no longer matches once it is locked is not deleted', {
  skip: !testServer && 'PostgreSQL only',
}, async () => {
  const ids: string[] = []
  for (const name of ['Lock A', 'Lock B']) ids.push((await create({ name, hq_city: 'Locktown' })).id)
  const [changed = '', unchanged = ''] = ids
  const filter = { field: 'hq_city', op: 'eq', value: 'Locktown' }
  let answer: Promise<Answer> | undefined
  await api.context.db.transaction().execute(async (transaction) => {
    await sql`update companies set hq_city = 'Elsewhere' where id = ${changed}`.execute(transaction)
    answer = api.call('DELETE', '/api/companies', { filter, expect: 2 })
    await whenBlocked(transaction, /from "?companies"? where .* for update/s)
  })
  assert.equal((await answer)?.status, 409)
  assert.equal((await company(unchanged)).name, 'Lock B')
})

test('a deleted thesis leaves its companies, and gets them back', async () => {
  const thesis = ok(
    await api.call('POST', '/api/theses', { code: 'BACK', title: 'Back', report_markdown: '# R' }),
  )
  const { id } = await create({ name: 'With a thesis', thesis_id: thesis.id })
  assert.equal((await api.call('DELETE', `/api/theses/${thesis.id}`)).status, 204)
  assert.equal((await company(id)).thesis_id, null)
  const other = ok(await api.call('POST', '/api/theses', { code: 'BACK', title: 'Other' }))
  const refused = await api.call('POST', `/api/trash/${thesis.id}/restore`)
  assert.equal(refused.status, 409)
  assert.match(refused.body.details, new RegExp(`${other.id} has the code BACK`))
  await api.call('PATCH', `/api/theses/${other.id}`, { code: 'OTHER' })
  ok(await api.call('POST', `/api/trash/${thesis.id}/restore`))
  assert.deepEqual(await get(`/api/theses/${thesis.id}`), thesis)
  assert.equal((await company(id)).thesis_id, thesis.id)
})

test('a thesis_id in the trash is refused with how to bring it back', async () => {
  const { id: thesis_id } = ok(await api.call('POST', '/api/theses', { code: 'TRASHED', title: 'Trashed' }))
  const { id } = await create({ name: 'Linked' })
  await api.call('DELETE', `/api/theses/${thesis_id}`)
  const error = new RegExp(
    `^thesis_id must be the id of a thesis; ${thesis_id} is in the trash\\. POST /api/trash/${thesis_id}/restore brings it back\\.$`,
  )
  const headers = { 'x-user-email': 'ada@example.com', 'idempotency-key': 'trashed-thesis' }
  for (const answer of [
    await api.call('POST', '/api/companies', { name: 'Other', thesis_id }),
    await api.call('POST', '/api/companies', { name: 'Other', thesis_id }, { headers }),
    await patch(id, { thesis_id }),
    await api.call('PATCH', '/api/companies', { ids: [id], changes: { thesis_id } }),
    await api.call('POST', '/api/bulk-actions', { action_type: 'llm_score', company_ids: [id], thesis_id }),
  ]) {
    assert.equal(answer.status, 400)
    assert.match(answer.body.details, error)
  }
})

test('a restored company that lost its thesis is shown as it was at that moment', async () => {
  const { id: thesis_id } = ok(await api.call('POST', '/api/theses', { code: 'LOST', title: 'Lost' }))
  const { id } = await create({ name: 'Bereft', thesis_id })
  await api.call('DELETE', `/api/companies/${id}`)
  await api.call('DELETE', `/api/theses/${thesis_id}`)
  ok(await api.call('POST', `/api/trash/${id}/restore`))
  const restored = await company(id)
  assert.equal(restored.thesis_id, null)
  const then = await get(`/api/companies/${id}?as_of=${restored.updated_at}`)
  assert.deepEqual(then.company, restored)
})

test('a purge is final: files and values are gone, who changed what remains', async () => {
  const { created } = await importCsv('name,website\nPurged,https://purged.example\n')
  assert.equal(created, 1)
  const [{ id }] = await get('/api/companies?search=purged')
  const change = await patch(id, { name: 'Purged by name' })
  assert.equal((await api.call('GET', `/assets/companies/${id}/source.csv`)).status, 200)
  assert.equal((await api.call('DELETE', `/api/trash/${id}`)).status, 404)
  const deleted = await api.call('DELETE', `/api/companies/${id}`)
  assert.equal((await api.call('DELETE', `/api/trash/${id}`)).status, 204)
  assert.equal((await api.call('POST', `/api/trash/${id}/restore`)).status, 404)
  const { rows } = await sql<{ text: string }>`
    select row_to_json(activity)::text as text from activity where entity_id = ${id}`.execute(api.context.db)
  assert.equal(rows.length, 4)
  assert.doesNotMatch(JSON.stringify(rows), /Purged/)
  for (const action of [actionOf(change), actionOf(deleted)]) {
    const undone = ok(await undo(action))
    assert.deepEqual([undone.reverted, undone.skipped[0]?.reason], [0, 'purged'])
  }
  assert.equal(await api.context.objects.read(`companies/${id}/source.csv`), null)
})

test('expired records are purged, and an interrupted purge is completed', async () => {
  const { db, objects } = api.context
  const ids: string[] = []
  for (const name of ['Expired', 'Interrupted purge', 'Kept in the trash']) {
    const { id } = await create({ name })
    ok(await api.call('POST', '/api/dealflow', { company_id: id }))
    await api.call('DELETE', `/api/companies/${id}`)
    ids.push(id)
  }
  const [expired, interrupted, kept] = ids
  await sql`update trash set deleted_at = deleted_at - interval '31 days' where company_id = ${expired}`.execute(
    db,
  )
  await sql`update trash set purging = true where company_id = ${interrupted}`.execute(db)
  assert.equal((await api.call('POST', `/api/trash/${interrupted}/restore`)).status, 404)
  assert.equal(
    (await purgeExpired({ db, objects, kinds: RECORD_KINDS }, 30, new AbortController().signal)).purged,
    4,
  )
  const { rows } = await sql<{ id: string }>`select id from trash where company_id = any(${ids})`.execute(db)
  assert.equal(rows.length, 2)
  ok(await api.call('POST', `/api/trash/${kept}/restore`))
  const [record] = await get(`/api/activity?entity_id=${expired}&activity_type=company_purged`)
  assert.deepEqual([record.user_email, record.entity_name], [null, null])
})

test('undo puts values back, skips what has changed since, and can be undone', async () => {
  const { id } = await create({ name: 'Undo', hq_city: 'Bonn' })
  const changed = await patch(id, { name: 'Undone', hq_city: 'Berlin' })
  await patch(id, { hq_city: 'Kiel' })
  const preview = ok(await undo(actionOf(changed), true))
  assert.equal((await company(id)).name, 'Undone')
  const undone = ok(await undo(actionOf(changed)))
  assert.deepEqual(preview, { ...undone, action_id: null })
  assert.deepEqual(undone.skipped, [
    { entity_type: 'company', entity_id: id, field: 'hq_city', reason: 'changed_since' },
  ])
  assert.deepEqual([(await company(id)).name, (await company(id)).hq_city], ['Undo', 'Kiel'])
  const { action_id: _id, ...outcome } = undone
  const stored = await get(`/api/actions/${undone.action_id}`)
  assert.deepEqual([stored.kind, stored.outcome], ['undo', { finished: true, ...outcome }])
  assert.equal((await get(`/api/actions/${actionOf(changed)}`)).outcome, null)
  const twice = await undo(actionOf(changed))
  assert.equal(twice.status, 409)
  assert.match(twice.body.details, new RegExp(`has been undone by ${undone.action_id}`))
  const { undone_by, undoable } = await get(`/api/actions/${actionOf(changed)}`)
  assert.deepEqual([undone_by, undoable], [undone.action_id, false])

  ok(await undo(undone.action_id))
  assert.equal((await company(id)).name, 'Undone')
  assert.equal((await get(`/api/actions/${actionOf(changed)}`)).undoable, true)
  assert.equal((await undo('ax_none')).status, 404)
})

test('undo of a creation deletes it, undo of that brings it back', async () => {
  const created = await api.call('POST', '/api/companies', { name: 'Created' })
  const deal = await api.call('POST', '/api/dealflow', { company_id: created.body.data.id })
  const undone = ok(await undo(actionOf(created)))
  assert.equal(undone.reverted, 1)
  assert.equal((await api.call('GET', `/api/dealflow/${deal.body.data.id}`)).status, 404)
  ok(await undo(undone.action_id))
  assert.deepEqual(await get(`/api/dealflow/${deal.body.data.id}`), deal.body.data)
})

test('undo of an import deletes what it created and puts back what it changed', async () => {
  const old = await create({ name: 'Old', website: 'https://old.example', hq_city: 'Bonn' })
  const csv = `name,website,hq_city\nOld,https://old.example,Berlin\n${Array.from({ length: 1200 }, (_value, n) => `New ${n},https://new${n}.example,Ulm`).join('\n')}\n`
  const { action_id, created, updated } = await importCsv(csv)
  assert.deepEqual([created, updated], [1200, 1])
  assert.equal((await get(`/api/actions/${action_id}`)).records, 1201)
  const undone = ok(await undo(action_id))
  assert.deepEqual([undone.reverted, undone.skipped], [1201, []])
  assert.equal((await company(old.id)).hq_city, 'Bonn')
  assert.deepEqual(await get('/api/companies?search=new+1'), [])

  const skipped = await importCsv('name,website\nNew 7,https://new7.example\n')
  assert.deepEqual([skipped.created, skipped.trashed, skipped.restored], [0, 1, 0])
  const restoring = await importCsv(
    'name,website,hq_city\nNew 7,https://new7.example,Jena\n',
    '?on_trashed=restore',
  )
  assert.deepEqual([restoring.updated, restoring.trashed, restoring.restored], [1, 1, 1])
  const [back] = await get('/api/companies?search=new+7')
  assert.equal(back.hq_city, 'Jena')
  ok(await undo(restoring.action_id))
  assert.equal((await api.call('GET', `/api/companies/${back.id}`)).status, 404)
})

test('an interrupted undo is continued', async () => {
  const { continueUndo } = await import('./undo.ts')
  const { id } = await create({ name: 'Interrupted' })
  const changed = await patch(id, { name: 'Interrupted twice' })
  const action = actionOf(changed)
  const undoing = newId('ax')
  await sql`insert into actions (id, kind, created_at, records, undoes) values (${undoing}, 'undo', now(), 0, ${action})`.execute(
    api.context.db,
  )
  await sql`update actions set undone_by = ${undoing} where id = ${action}`.execute(api.context.db)
  await sql`insert into undos (id, action_id) values (${undoing}, ${action})`.execute(api.context.db)
  assert.equal((await undo(action)).status, 409)
  assert.equal((await continueUndo({ ...api.context, kinds: RECORD_KINDS }, undoing)).reverted, 1)
  assert.equal((await company(id)).name, 'Interrupted')
})

test('a one-field change costs at most 400 bytes', async () => {
  const { id } = await create({ name: 'Small' })
  const changed = await patch(id, { status: 'inactive' })
  const { rows } = await sql<{ bytes: number }>`
    select (select pg_column_size(activity.*) from activity where action_id = ${actionOf(changed)})
      + (select pg_column_size(actions.*) from actions where id = ${actionOf(changed)}) as bytes`.execute(
    api.context.db,
  )
  assert.ok((rows[0]?.bytes ?? 1000) <= 450, `${rows[0]?.bytes} bytes`)
})
