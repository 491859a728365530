import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Unavailable } from '#src/platform/errors.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { whileImportsAreHeld } from './held-imports.fixture.ts'
import { interruptAbandonedImports } from './store.ts'

let api: TestApp
let address: string
before(async () => {
  api = await testApp()
  address = await api.app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => api.close())

const importFile = (url: string, payload: string) =>
  api.call('POST', `/api/companies/import${url}`, undefined, {
    payload,
    headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' },
  })
const latest = async () => (await api.call('GET', '/api/imports?limit=1')).body.data[0]

test('a past import has its file, counts, report, and the action that undoes it', async () => {
  const csv = 'name,founded\nOne,2001\n,2002\n'
  const { body } = await importFile('?file_name=companies.csv', csv)
  const { data, pagination } = (await api.call('GET', '/api/imports')).body
  assert.equal(pagination.total, 1)
  const { id, started_at, finished_at, ...listed } = data[0]
  assert.match(id, /^imp_/)
  assert.ok(started_at <= finished_at)
  assert.deepEqual(listed, {
    type: 'company',
    state: 'completed',
    user_email: 'ada@example.com',
    file_name: 'companies.csv',
    file_bytes: csv.length,
    bytes_read: csv.length,
    ...{
      created: 1,
      updated: 0,
      unchanged: 0,
      trashed: 0,
      restored: 0,
      failed: 1,
      left_out: 0,
      conflicts: 0,
    },
    action_id: body.data.action_id,
    undone_by: null,
    error: null,
  })
  const detail = (await api.call('GET', `/api/imports/${id}`)).body.data
  assert.deepEqual(detail.report, body.data)
  const undo = await api.call('POST', `/api/actions/${listed.action_id}/undo`, {})
  assert.equal((await latest()).undone_by, undo.body.data.action_id)
})

test('the name of a file in a form is recorded, and a dry run is not', async () => {
  const form = new FormData()
  form.append('file', new Blob(['name\nFormed\n']), 'from a form.csv')
  const sent = await fetch(`${address}/api/companies/import`, { method: 'POST', body: form })
  assert.equal(sent.status, 200)
  await importFile('?dry_run=true&file_name=dry.csv', 'name\nDry\n')
  const { file_name, file_bytes, state } = await latest()
  assert.deepEqual(
    { file_name, file_bytes, state },
    { file_name: 'from a form.csv', file_bytes: 12, state: 'completed' },
  )
})

test('a running import is listed, and one that cannot write ends as interrupted and says why', async () => {
  const { objects } = api.context
  const written = objects.write
  const rows = Array.from({ length: 1000 }, (_value, n) => `${'x'.repeat(150)} ${n}\n`)
  let sending: Promise<unknown> | undefined
  const running = await whileImportsAreHeld(async () => {
    sending = importFile('?file_name=slow.csv', `name\n${rows.join('')}`)
    return eventually(async () => {
      const found = await latest()
      assert.deepEqual([found.file_name, found.state], ['slow.csv', 'running'])
      objects.write = () => Promise.reject(new Unavailable('The disk is full.'))
      return found
    })
  })
  try {
    await sending
  } finally {
    objects.write = written
  }
  assert.deepEqual([running.file_bytes > 150_000, running.finished_at], [true, null])
  const { id, state, error, action_id } = await latest()
  assert.deepEqual([id, state, error, action_id], [running.id, 'interrupted', 'The disk is full.', null])
})

test('an import whose process was killed becomes interrupted', async () => {
  const { db, backgroundDb } = api.context
  await importFile('?file_name=killed.csv', 'name\nKilled\n')
  const asRunning = (age: string) =>
    sql`update imports set state = 'running', finished_at = null, advanced_at = now() - ${age}::interval
      where file_name = 'killed.csv'`.execute(db)
  await asRunning('10 seconds')
  await interruptAbandonedImports(backgroundDb)
  assert.equal((await latest()).state, 'running')
  await asRunning('1 minute')
  await interruptAbandonedImports(backgroundDb)
  const { state, error, created } = await latest()
  assert.deepEqual([state, created], ['interrupted', 1])
  assert.match(error, /stopped or restarted/)
})

test('an import that does not exist is a 404', async () => {
  assert.equal((await api.call('GET', '/api/imports/imp_unknown')).status, 404)
})
