import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { UploadFolder } from '#src/platform/http/upload-folder.ts'
import { FreeSpace } from '#src/platform/process/free-space.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { whileImportsAreHeld } from './held-imports.fixture.ts'

const MB = 1024 * 1024
const FORM_TYPE = 'multipart/form-data; boundary=b'

/** Counts the bytes that are written. */
class CountedSpace extends FreeSpace {
  taken = 0
  override take(bytes: number): void {
    this.taken += bytes
    super.take(bytes)
  }
}

const LIMITS = { minBytes: 64 * MB, minPercent: 0 }

let api: TestApp
let address: string
let folder: string
let disk: CountedSpace
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-uploads-'))
  disk = new CountedSpace('the uploaded files', folder, { limits: LIMITS })
  api = await testApp({}, { uploads: new UploadFolder(path.join(folder, 'uploads'), disk) })
  address = await api.app.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

/** Each row is different, and has quotes, line ends and characters of several bytes. */
const descriptionOf = (n: number, length: number) => `${n} "é"\n${`${n * 7919} ü, `.repeat(length)}`.trim()
const fileOf = (name: string, rows: number, length: number) =>
  `name,description\n${Array.from({ length: rows }, (_value, n) => `${name} ${n},"${descriptionOf(n, length).replaceAll('"', '""')}"\n`).join('')}`
/** More than an import reads while it cannot write, and more than waits in memory. */
const largeFile = (name: string) => fileOf(name, 1600, 300)

const formOf = (csv: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="form.csv"\r\n\r\n${csv}\r\n--b--\r\n`

interface Sent {
  email?: string
  type?: string
  key?: string
  query?: string
}

function start({ email = 'ada@example.com', type = 'text/csv', key, query = '' }: Sent, length?: number) {
  const request = http.request(`${address}/api/companies/import${query}`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': type,
      'x-user-email': email,
      ...(key && { 'idempotency-key': key }),
      ...(length !== undefined && { 'content-length': length }),
    },
  })
  request.on('error', () => {})
  return request
}

/** Sends a whole body and disconnects. The service sees the end of the connection after the body. */
async function sendAndDisconnect(body: string, sent: Sent): Promise<void> {
  const previous = await latest()
  const request = start(sent, Buffer.byteLength(body))
  request.end(body)
  await once(request, 'finish')
  // Dry runs are not listed.
  if (!sent.query?.includes('dry_run')) await whenRunning(previous?.id)
  request.destroy()
  await disconnected()
}

const latest = async () => (await api.call('GET', '/api/imports?limit=1')).body.data[0]

const whenRunning = (previous: string | undefined) =>
  eventually(async () => {
    const { id, state } = await latest()
    assert.deepEqual([id !== previous, state], [true, 'running'])
  })

const disconnected = () =>
  eventually(async () => {
    const connections = await new Promise((resolve) =>
      api.app.server.getConnections((_error, count) => resolve(count)),
    )
    assert.equal(connections, 0)
  })

const whenEnded = (state: string) =>
  eventually(async () => {
    const found = await latest()
    assert.equal(found.state, state)
    return found
  })

/** Sends a body without disconnecting. */
const importAgain = (payload: string, { email = 'ada@example.com', key, query = '' }: Sent) =>
  api.call('POST', `/api/companies/import${query}`, undefined, {
    payload,
    headers: { 'content-type': 'text/csv', 'x-user-email': email, ...(key && { 'idempotency-key': key }) },
  })

const whenAnswered = (payload: string, sent: Sent) =>
  eventually(async () => {
    const answer = await importAgain(payload, sent)
    assert.equal(answer.status, 200)
    return answer
  })

const leftFiles = () => readdirSync(path.join(folder, 'uploads'))

async function importedDescriptions(name: string): Promise<string[]> {
  const { rows } = await sql<{ activity_description: string }>`
    select activity_description from companies where name like ${`${name} %`}
    order by substring(name from '[0-9]+$')::int`.execute(api.context.db)
  return rows.map(({ activity_description }) => activity_description)
}

test('an import whose client disconnects after the whole file completes, with its report', {
  skip: slow,
}, async () => {
  const csv = largeFile('Whole')
  const length = Buffer.byteLength(csv)
  await whileImportsAreHeld(async () => {
    await sendAndDisconnect(csv, { query: '?file_name=whole.csv' })
    await eventually(() => assert.ok(disk.taken > MB, `in the file: ${disk.taken}`))
    // A killed process would leave nothing.
    assert.deepEqual(leftFiles(), [])
    const { state, bytes_read, file_bytes } = await latest()
    assert.deepEqual([state, file_bytes, bytes_read < length], ['running', length, true])
  })
  const ended = await whenEnded('completed')
  assert.deepEqual([ended.bytes_read, ended.created, ended.error], [length, 1600, null])
  const { report } = (await api.call('GET', `/api/imports/${ended.id}`)).body.data
  assert.deepEqual([report.created, report.failed, report.action_id], [1600, 0, ended.action_id])
  assert.deepEqual(
    await importedDescriptions('Whole'),
    Array.from({ length: 1600 }, (_value, n) => descriptionOf(n, 300)),
  )
  assert.deepEqual(leftFiles(), [])
  const { rows } = await sql`
    select address, details ->> 'complete' as complete from audit_entries where event = 'import'`.execute(
    api.context.db,
  )
  assert.deepEqual(rows, [{ address: '127.0.0.1', complete: 'true' }])
})

test('an import sent as a form completes after its client disconnects', async () => {
  await whileImportsAreHeld(() => sendAndDisconnect(formOf(fileOf('Formed', 1200, 200)), { type: FORM_TYPE }))
  const { file_name, created } = await whenEnded('completed')
  assert.deepEqual([file_name, created], ['form.csv', 1200])
  assert.equal((await importedDescriptions('Formed')).length, 1200)
})

test('an upload that ends in the middle of the file imports nothing', async () => {
  const csv = largeFile('Middle')
  const request = start({}, Buffer.byteLength(csv) + 1)
  const previous = await latest()
  disk.taken = 0
  await new Promise((resolve) => request.write(csv, resolve))
  await eventually(() => assert.ok(disk.taken > MB, `in the file: ${disk.taken}`))
  request.destroy()
  await disconnected()
  assert.deepEqual(await latest(), previous)
  assert.deepEqual(await importedDescriptions('Middle'), [])
  assert.deepEqual(leftFiles(), [])
})

test('a detached import keeps its slot until it ends', async () => {
  const email = 'busy@example.com'
  const importing = () => importAgain('name\nThird\n', { email })
  await whileImportsAreHeld(async () => {
    for (const name of ['First', 'Second'])
      await sendAndDisconnect(fileOf(name, 600, 1), { email, query: `?file_name=${name}` })
    assert.equal((await importing()).status, 429)
  })
  await eventually(async () => assert.equal((await importing()).status, 200))
})

test('the Idempotency-Key of a detached import answers 409 while it runs, then with its report', async () => {
  const csv = fileOf('Keyed', 1500, 5)
  const sent = { key: 'detached', query: '?file_name=keyed.csv' }
  await whileImportsAreHeld(async () => {
    await sendAndDisconnect(csv, sent)
    const { status, headers } = await importAgain(csv, sent)
    assert.deepEqual([status, headers['retry-after']], [409, '1'])
  })
  const repeated = await whenAnswered(csv, sent)
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  const { created, action_id } = await latest()
  assert.deepEqual([repeated.body.data.created, repeated.headers['x-action-id']], [created, action_id])
  assert.equal(created, 1500)
  assert.equal((await importAgain(`${csv}x`, sent)).status, 422)
})

test('a dry run ends when its client disconnects', async () => {
  const sent = { key: 'dry', query: '?dry_run=true' }
  const csv = largeFile('Dry')
  await whileImportsAreHeld(() => sendAndDisconnect(csv, sent))
  const repeated = await whenAnswered(csv, sent)
  assert.equal(repeated.headers['idempotency-replayed'], undefined)
})

test('an upload that does not fit on the disk is a 503 and imports nothing', async () => {
  const statfs = () => ({ bsize: MB, blocks: 1000, bavail: 65 })
  const small = new FreeSpace('the uploaded files', folder, { limits: LIMITS, statfs })
  const full = await testApp({}, { uploads: new UploadFolder(path.join(folder, 'full'), small) })
  try {
    const send = (payload: string) =>
      full.call('POST', '/api/companies/import', undefined, {
        payload,
        headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' },
      })
    const { status, body, headers } = await send(largeFile('Full'))
    assert.equal(status, 503)
    assert.match(body.details, /^The disk that holds the uploaded files has only 65 MB free/)
    assert.match(String(headers['retry-after']), /^\d+$/)
    assert.equal((await full.call('GET', '/api/companies?limit=0')).body.pagination.total, 0)
    assert.equal((await send('name\nSmall\n')).status, 200)
  } finally {
    await full.close()
  }
})

test('a service that stops lets a detached import end', async () => {
  let closed: Promise<unknown> | undefined
  const id = await whileImportsAreHeld(async () => {
    await sendAndDisconnect(fileOf('Stopping', 700, 1), { query: '?file_name=stopping.csv' })
    const { id } = await latest()
    closed = api.app.close()
    return id
  })
  await closed
  const { rows } =
    await sql`select state, counts ->> 'created' as created from imports where id = ${id}`.execute(
      api.context.db,
    )
  assert.deepEqual(rows, [{ state: 'completed', created: '700' }])
})
