import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

test('the list leaves out reports, and reading a thesis includes its report', async () => {
  const report_markdown = '# Report\n\n| a | b |\n|---|---|\n'
  const created = await api.call('POST', '/api/theses', {
    code: 'A-1',
    title: 'First',
    summary: 'S',
    report_markdown,
  })
  assert.equal(created.status, 201)
  assert.match(created.body.data.id, /^th_/)
  assert.equal(created.body.data.status, 'active')
  const { body } = await api.call('GET', '/api/theses')
  assert.deepEqual(body.pagination, { total: 1, limit: 1000, offset: 0, hasMore: false })
  assert.equal(body.data[0].code, 'A-1')
  assert.ok(!('report_markdown' in body.data[0]))
  const read = await api.call('GET', `/api/theses/${created.body.data.id}`)
  assert.equal(read.body.data.report_markdown, report_markdown)
  const { data } = (await api.call('GET', `/api/activity?entity_id=${created.body.data.id}`)).body
  assert.deepEqual([data[0].activity_type, data[0].entity_type], ['thesis_created', 'thesis'])
})

test('codes are unique', async () => {
  await api.call('POST', '/api/theses', { code: 'TAKEN', title: 'T' })
  const again = await api.call('POST', '/api/theses', { code: 'TAKEN', title: 'U' })
  assert.equal(again.status, 409)
  assert.match(again.body.details, /code must be unique: another thesis has the code TAKEN/)
  const other = await api.call('POST', '/api/theses', { code: 'FREE', title: 'U' })
  assert.equal((await api.call('PATCH', `/api/theses/${other.body.data.id}`, { code: 'TAKEN' })).status, 409)
})

test('the activity record of an update names the changed fields', async () => {
  const { id } = (await api.call('POST', '/api/theses', { code: 'UPD', title: 'T', summary: 's' })).body.data
  const { status, body } = await api.call('PATCH', `/api/theses/${id}`, {
    title: 'T2',
    summary: null,
    status: 'active',
  })
  assert.equal(status, 200)
  assert.equal(body.data.title, 'T2')
  assert.equal(body.data.summary, null)
  const { data } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.equal(data[0].activity_type, 'thesis_updated')
  assert.deepEqual(data[0].metadata, { fields: ['title', 'summary'] })
  await api.call('PATCH', `/api/theses/${id}`, { title: 'T2' })
  assert.equal((await api.call('GET', `/api/activity?entity_id=${id}`)).body.pagination.total, 2)
})

test('the list has filters and pages', async () => {
  await api.call('POST', '/api/theses', { code: 'ARCH', title: 'Old', status: 'archived' })
  assert.deepEqual(
    (await api.call('GET', '/api/theses?status=archived')).body.data.map((t: { code: string }) => t.code),
    ['ARCH'],
  )
  assert.equal((await api.call('GET', '/api/theses?code=ARCH')).body.pagination.total, 1)
  const page = (await api.call('GET', '/api/theses?limit=1&offset=1')).body
  assert.equal(page.data.length, 1)
  assert.equal(page.pagination.hasMore, true)
})

test('an unknown thesis is a 404', async () => {
  assert.equal((await api.call('GET', '/api/theses/th_none')).status, 404)
  assert.equal((await api.call('PATCH', '/api/theses/th_none', { title: 'x' })).status, 404)
})
