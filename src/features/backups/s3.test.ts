import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type ObjectStore, startObjectStore } from '#dev/object-store.ts'
import { migrations } from '#src/migrations/migrations.ts'
import type { S3Config } from '#src/platform/config/objects.ts'
import { openPglite } from '#src/platform/database/open.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { s3Objects } from '#src/platform/objects/s3.ts'
import { openQueues } from '#src/platform/queue.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { slow } from '#src/testing/slow.ts'
import { readArchive } from './archive.ts'
import { workplaceOf } from './create.ts'
import { restoreBackup } from './restore.ts'
import { s3Target } from './s3-target.ts'
import { makeDueBackup, type ScheduledBackups } from './scheduled.ts'
import { openTarget } from './target.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-03-02T09:00:00Z')
/** Files of all sizes that are handled differently. */
const FILES: Record<string, Buffer> = {
  'companies/cmp_1/profile.json': Buffer.from('{"a": 1}'),
  'companies/cmp_1/source.csv': Buffer.alloc(0),
  'companies/cmp_2/source.csv': Buffer.alloc(3_000_000, 'name,website\n'),
}

let store: ObjectStore
let targetStore: ObjectStore
let emptyStore: ObjectStore
let api: TestApp
let folder: string
let backups: ScheduledBackups
before(async () => {
  store = await startObjectStore()
  targetStore = await startObjectStore()
  emptyStore = await startObjectStore()
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-s3-backups-'))
  api = await testApp({ ...store.settings, LOG_LEVEL: 'silent' })
  await api.call('POST', '/api/companies', { name: 'Loomworks' })
  await api.context.objects.write(Object.entries(FILES))
  const { backgroundDb: db, log, objects } = api.context
  backups = {
    ...{ source: { db, objects, settings: {} }, target: await openTarget(TARGET, connectionTo(targetStore)) },
    ...{ minutes: 180, timeZone: 'UTC', passphrase: undefined, workplace: workplaceOf(api.config), log },
  }
})
after(async () => {
  await api.close()
  for (const each of [store, targetStore, emptyStore]) await each.close()
  await rm(folder, { recursive: true, force: true })
})

const TARGET = 's3://deals/nightly'

const connectionTo = ({ settings }: { settings: Record<string, string> }): S3Config => ({
  endpoint: settings.S3_ENDPOINT,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  forcePathStyle: true,
  bucket: 'deals',
})

const retryNow = () =>
  sql`update backup_runs set claimed_until = now() - interval '1 second'`.execute(backups.source.db)
const latestRun = async () => (await api.call('GET', '/api/backups')).body.data[0]

async function filesOf(objects: Objects): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {}
  for await (const key of objects.list()) if (key in FILES) files[key] = (await objects.read(key)) as Buffer
  return files
}

test('a backup in a bucket is whole, and is restored into another bucket', async () => {
  const name = await makeDueBackup(backups, NOW)
  assert.equal(name, 'deal-pipeline-2026-03-02T0300Z.backup', JSON.stringify(await latestRun()))
  const bucket = s3Objects(connectionTo(targetStore), 'probe')
  assert.deepEqual(await Array.fromAsync(bucket.list()), [`nightly/${name}`])
  const content = (await bucket.read(`nightly/${name}`)) as Buffer
  const { manifest } = await readArchive(Readable.from([content]), undefined)
  assert.equal(manifest.rows.companies, 1)
  const run = await latestRun()
  assert.deepEqual([run.state, run.bytes, run.files], ['completed', content.length, manifest.files])

  const database = await openPglite(undefined)
  try {
    const objects = s3Objects(connectionTo(emptyStore), 'probe')
    const queues = openQueues(database.source, backups.log)
    const disks = { database: undefined, files: undefined }
    await restoreBackup(
      { db: database.background, objects, folder, disks, migrations, createQueues: queues.createTables },
      () => Readable.from([content]),
      undefined,
    ).finally(() => queues.stop())
    assert.deepEqual(await filesOf(objects), FILES)
    const { rows } = await sql`select name from companies`.execute(database.background)
    assert.deepEqual(rows, [{ name: 'Loomworks' }])
  } finally {
    await database.close()
  }
})

test('expired backups in a bucket are deleted, and other objects are left alone', {
  skip: slow,
}, async () => {
  const bucket = s3Objects(connectionTo(targetStore), 'probe')
  await bucket.write([
    ['nightly/notes.txt', 'kept'],
    ['deal-pipeline-2020-01-01T0300Z.backup', 'outside of the prefix'],
  ])
  for (let day = 1; day <= 9; day++) assert.ok(await makeDueBackup(backups, NOW + day * DAY_MS))
  const names = await Array.fromAsync(bucket.list())
  // The last seven days, and the Sunday before them as one of a week of its own.
  assert.deepEqual(names.sort(), [
    'deal-pipeline-2020-01-01T0300Z.backup',
    ...['05', '06', '07', '08', '09', '10', '11'].map(
      (day) => `nightly/deal-pipeline-2026-03-${day}T0300Z.backup`,
    ),
    'nightly/notes.txt',
  ])
})

test('a backup that is too large for one request is sent in parts', async () => {
  const target = s3Target('deals', 'parts', connectionTo(targetStore), 1000)
  const name = await makeDueBackup({ ...backups, target }, NOW + 15 * DAY_MS)
  assert.ok(name, JSON.stringify(await latestRun()))
  const content = (await s3Objects(connectionTo(targetStore), 'probe').read(`parts/${name}`)) as Buffer
  assert.ok(content.length > 3000)
  await readArchive(Readable.from([content]), undefined)
})

for (const [title, status, error] of [
  ['refuses', 403, /^The backup target s3:\/\/deals\/nightly cannot be used: access is denied \(403\)/],
  [
    'has no such bucket',
    404,
    /^The backup target s3:\/\/deals\/nightly cannot be used: .*does not exist \(404\)/,
  ],
  ['fails', 500, /cannot be used: the store does not answer as it should \(500\)\.$/],
  ['is down', undefined, /cannot be used: the store does not answer as it should \(ECONNREFUSED\)\.$/],
] as const)
  test(`a store that ${title} is reported, and the backup is made once it answers`, async () => {
    const now = NOW + 20 * DAY_MS
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(status ?? 500).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (status === undefined) server.close()
    try {
      const failing = { ...connectionTo(targetStore), endpoint }
      const target = await openTarget(TARGET, failing)
      assert.equal(await makeDueBackup({ ...backups, target }, now), undefined)
      const failed = await latestRun()
      assert.equal(failed.state, 'failed')
      assert.match(failed.error, error)
    } finally {
      server.close()
      server.closeAllConnections()
    }
    await retryNow()
    assert.ok(await makeDueBackup(backups, now))
    assert.equal((await latestRun()).error, null)
    await sql`delete from backup_runs where due_at = ${(await latestRun()).due_at}`.execute(backups.source.db)
    await backups.target.delete('deal-pipeline-2026-03-22T0300Z.backup')
  })
