import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createZstdCompress, zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { pack } from 'tar-stream'
import { filesOf as uploadsOf } from '#src/features/files/files.fixture.ts'
import { migrations } from '#src/migrations/migrations.ts'
import type { Database, Db } from '#src/platform/database/database.ts'
import { openDatabase, openPglite } from '#src/platform/database/open.ts'
import { folderObjects } from '#src/platform/objects/folder.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { createLogger } from '#src/platform/process/logging.ts'
import { openQueues, type Queue } from '#src/platform/queue.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { readArchive } from './archive.ts'
import { createBackup } from './create.ts'
import { filesIn } from './manifest.ts'
import { restoreBackup } from './restore.ts'

let api: TestApp
let folder: string
/** A backup of the service with some records of each kind. */
let backup: Buffer
/** Opening one takes seconds. It is empty until the last tests restore into it. */
let embedded: Target
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-backup-'))
  api = await testApp()
  await fill(api)
  backup = await backUp()
  embedded = await emptyEmbedded()
})
after(async () => {
  await embedded.close()
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const REFUSAL = /^The (backup is (incomplete|damaged)|file is not a backup)/
const NO_DISKS = { database: undefined, files: undefined }
const LARGE_KEY = 'companies/cmp_2/source.csv'
const LARGE = randomBytes(1_000_001)
const PASSPHRASE = 'correct horse battery staple'

async function fill({ call }: TestApp): Promise<void> {
  const headers = { headers: { 'x-user-email': 'ada@example.com' } }
  const idOf = async (url: string, body: object) => {
    const { status, body: answer } = await call('POST', url, body, headers)
    assert.equal(status, 201, JSON.stringify(answer))
    return answer.data.id as string
  }
  const thesis = await idOf('/api/theses', { code: 'ROB', title: 'Robots', summary: 'Robots that weave.' })
  await call('POST', '/api/fields', { entity: 'company', key: 'fit', label: 'Fit', type: 'number' }, headers)
  for (let n = 0; n < 30; n++) {
    const company = await idOf('/api/companies', {
      name: `Loom "${n}" \\ ü\u{1f600}`,
      thesis_id: thesis,
      website: `https://loom${n}.example`,
      revenue_eur: 0.1 + n,
      tags: ['weaving', `t${n}`],
      custom: { fit: n },
    })
    if (n > 3) continue
    const person = await idOf('/api/people', { name: `Ingrid ${n}`, emails: [`ingrid${n}@example.com`] })
    await call('PUT', `/api/companies/${company}/people/${person}`, { role: 'CEO' }, headers)
    await idOf('/api/notes', {
      body: 'Line one\n\n"quoted" \\n',
      kind: 'call',
      visibility: n % 2 ? 'private' : 'team',
      about: [{ type: 'company', id: company }],
    })
    await idOf('/api/dealflow', { company_id: company, stage: 'meeting', amount_eur: 1e6 })
    await idOf('/api/decisions', { company_id: company, outcome: 'pass', revisit_on: '2030-01-01' })
    await call(
      'DELETE',
      `/api/companies/${await idOf('/api/companies', { name: `Gone ${n}` })}`,
      undefined,
      headers,
    )
  }
  const files = uploadsOf(() => api)
  const about = [{ type: 'company', id: await files.company() }]
  const { id } = await files.upload({ about, fileName: 'Deck.txt', content: 'First version' })
  await files.version(id, 'Second version')
  const [queue] = Object.values(api.context.bulkQueues) as Queue<object>[]
  await queue?.start()
  // Several megabytes, which are read in more than one part.
  await sql`insert into activity (id, activity_type, entity_type, entity_id, "timestamp", metadata)
    select 'act_' || n, 'company_updated', 'company', 'cmp_gone', now(), '{}' from generate_series(1, 20000) n`.execute(
    api.context.db,
  )
  await api.context.db.transaction().execute(async (transaction) => {
    await queue?.send(transaction, [{ data: { bulk_action_id: 'ba_x' }, priority: 50 }])
  })
  await api.context.objects.write([
    ['companies/cmp_1/profile.json', '{"a": 1}'],
    ['companies/cmp_1/source.csv', Buffer.from([0, 1, 255, 10])],
    [LARGE_KEY, LARGE],
  ])
}

async function backUp(passphrase?: string, { db, objects } = sourceOf(api)): Promise<Buffer> {
  const output = new PassThrough()
  const content = buffer(output)
  await createBackup({ db, objects, settings: {} }, output, passphrase)
  return content
}

const sourceOf = ({ context: { backgroundDb: db, objects } }: TestApp): { db: Db; objects: Objects } => ({
  db,
  objects,
})

interface Target {
  database: Database
  objects: Objects
  close(): Promise<void>
}

async function emptyEmbedded(): Promise<Target> {
  const database = await openPglite(undefined)
  const objects = folderObjects(await mkdtemp(path.join(folder, 'objects-')))
  return { database, objects, close: database.close }
}

async function emptyPostgres(): Promise<Target> {
  const { url, drop } = await createPostgres(testServer as string)
  const database = await openDatabase({ databaseUrl: url, dataFolder: '' })
  const objects = folderObjects(await mkdtemp(path.join(folder, 'objects-')))
  const close = async () => {
    await database.close()
    await drop()
  }
  return { database, objects, close }
}

async function restore(
  { database, objects }: Target,
  content: Buffer,
  passphrase?: string,
): Promise<{ leftOut: string[] }> {
  const queues = openQueues(database.source, await createLogger({ logLevel: 'fatal' }))
  const parts = {
    ...{
      db: database.background,
      objects,
      folder: path.join(folder, 'uploads'),
      disks: NO_DISKS,
      migrations,
    },
    createQueues: queues.createTables,
  }
  return restoreBackup(parts, () => Readable.from([content]), passphrase).finally(() => queues.stop())
}

/** The rows of each table, as JSON. Queues are created by each service. */
async function rowsOf(content: Buffer): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {}
  await readArchive(Readable.from([content]), undefined, {
    rows: (table, json) => {
      if (table !== 'pgboss.queue') rows[table] = [...(rows[table] ?? []), ...JSON.parse(json.toString())]
    },
  })
  return rows
}

async function schemaOf(content: Buffer) {
  const { header } = await readArchive(Readable.from([content]), undefined)
  const { indexes, ...schema } = header.schema
  const definitions = indexes.map(({ definition }) => definition.replace(/ ON \w+\./, ' ON '))
  return { ...schema, indexes: definitions.sort(), migrations: header.migrations }
}

async function filesOf(objects: Objects): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for await (const key of objects.list()) files[key] = ((await objects.read(key)) as Buffer).toString('hex')
  return files
}

test('a backup with a passphrase is restored only with it', async () => {
  const secret = await backUp(PASSPHRASE)
  assert.doesNotMatch(secret.toString('latin1'), /loom/i)
  await assert.rejects(readArchive(Readable.from([secret]), undefined), {
    message: 'The backup is encrypted. Set BACKUP_PASSPHRASE to its passphrase.',
  })
  await assert.rejects(readArchive(Readable.from([secret]), 'wrong'), {
    message: 'BACKUP_PASSPHRASE is not the passphrase of this backup.',
  })
  const { manifest } = await readArchive(Readable.from([secret]), PASSPHRASE)
  assert.equal(manifest.rows.companies, 31)
  const cut = secret.subarray(0, Math.floor(secret.length * 0.9))
  await assert.rejects(readArchive(Readable.from([cut]), PASSPHRASE), /is (incomplete|damaged)/)
})

test('a backup that was cut off anywhere is refused before anything is written', async () => {
  for (let n = 0; n < 50; n++) {
    const cut = backup.subarray(0, Math.floor((backup.length * n) / 50))
    await assert.rejects(readArchive(Readable.from([cut]), undefined), { message: REFUSAL }, `cut at ${n}/50`)
  }
})

test('a backup with a flipped byte is refused before anything is written', async () => {
  for (let n = 0; n < 50; n++) {
    const flipped = Buffer.from(backup)
    const position = Math.floor(((backup.length - 13) * (n + 0.5)) / 50)
    flipped[position] = (flipped[position] as number) ^ 0x10
    const verified = readArchive(Readable.from([flipped]), undefined)
    const rows = await verified.then(() => rowsOf(flipped)).catch((error: Error) => error)
    // A few bits of the compressed file mean nothing.
    if (rows instanceof Error) assert.match(rows.message, REFUSAL, `byte ${position}`)
    else assert.deepEqual(rows, await rowsOf(backup), `byte ${position}`)
  }
  const flipped = Buffer.from(backup)
  // The last 13 bytes are an empty frame, and ignored.
  flipped[backup.length - 14] = (flipped[backup.length - 14] as number) ^ 1
  await assert.rejects(restore(embedded, flipped), /damaged|incomplete/)
  await assertEmpty(embedded)
})

async function assertEmpty({ database, objects }: Target): Promise<void> {
  const { rows } = await sql`select from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'r'`.execute(database.background)
  assert.equal(rows.length, 0)
  assert.deepEqual(await filesOf(objects), {})
}

test('files of other products, and backups of newer versions, are refused', async () => {
  const verify = (content: Buffer) => readArchive(Readable.from([content]), undefined)
  const foreign = { message: 'The file is not a backup of deal-pipeline.' }
  await assert.rejects(verify(Buffer.from('PGDMP: a dump of another program')), foreign)
  await assert.rejects(
    verify(zstdCompressSync('not an archive, however long it may be')),
    /not a backup|damaged|incomplete/,
  )
  await assert.rejects(verify(await archiveWith({ product: 'other', format: 1 })), foreign)
  await assert.rejects(
    verify(await archiveWith({ product: 'deal-pipeline', format: 99, version: '9.0.0' })),
    { message: /made by version 9\.0\.0, whose format this version does not know/ },
  )
})

async function archiveWith(header: object): Promise<Buffer> {
  const archive = pack()
  archive.entry({ name: 'backup.json' }, JSON.stringify(header))
  archive.finalize()
  return buffer(archive.pipe(createZstdCompress()))
}

test('a backup whose schema is newer is refused, and names the version', async () => {
  const { '0051_relationships': _unknown, ...fewer } = migrations
  const parts = {
    ...embedded,
    db: embedded.database.background,
    folder,
    disks: NO_DISKS,
    createQueues: async () => {},
  }
  await assert.rejects(
    restoreBackup({ ...parts, migrations: fewer }, () => Readable.from([backup]), undefined),
    { message: /newer than this one \(its database has the migration 0051_relationships\)/ },
  )
  await assertEmpty(embedded)
})

test('a storage of files that is not empty is refused and stays as it is', async () => {
  const key = 'companies/cmp_2/profile.json'
  await embedded.objects.write([[key, 'kept']])
  await assert.rejects(restore(embedded, backup), {
    message: /storage of files is not empty: it contains companies\/cmp_2\/profile\.json/,
  })
  assert.deepEqual(Object.keys(await filesOf(embedded.objects)), [key])
  await embedded.objects.delete([key])
  await assertEmpty(embedded)
})

test('only admins download backups, which the audit log records', async () => {
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(`${url}/api/backup`, { headers: { 'x-user-email': 'ada@example.com' } })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/zstd')
  const file = path.join(folder, 'downloaded.backup')
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  const { manifest } = await readArchive(createReadStream(file), undefined)
  assert.deepEqual([manifest.files, filesIn(manifest)], [5, { uploads: 2, others: 3 }])
  await eventually(async () => {
    const { body } = await api.call('GET', '/api/audit?event=backup_created')
    assert.equal(body.data[0]?.details.files, 5)
  })
})

test('a backup that cannot be written fails with the error of the disk', async () => {
  const { backgroundDb: db, objects } = api.context
  const output = createWriteStream('/dev/full')
  await assert.rejects(createBackup({ db, objects, settings: {} }, output), { code: 'ENOSPC' })
  assert.equal(await readFile(path.join(folder, 'none')).catch(() => 'absent'), 'absent')
})

async function assertRestored({ database: { background: db }, objects }: Target): Promise<void> {
  const again = await backUp(undefined, { db, objects })
  assert.deepEqual(await rowsOf(again), await rowsOf(backup))
  const [before, now] = await Promise.all([backup, again].map(schemaOf))
  assert.deepEqual(now, before)
  assert.deepEqual(await filesOf(objects), await filesOf(api.context.objects))
  assert.equal(Object.keys(await filesOf(objects)).length, 5)
  const versions = await db.selectFrom('file_versions').selectAll().orderBy('version').execute()
  const contents = versions.map(async ({ object_key }) => String(await objects.read(object_key)))
  assert.deepEqual(await Promise.all(contents), ['First version', 'Second version'])
}

test('every row, index, sequence, and file is restored, references are enforced, and a second time is refused', async () => {
  await restore(embedded, backup)
  await assertRestored(embedded)
  const { background: db } = embedded.database
  await assert.rejects(
    sql`insert into dealflow (id, company_id, stage, status, created_at, updated_at, stage_entered_at, custom)
      values ('df_x', 'cmp_missing', 'initial', 'active', now(), now(), now(), '{}')`.execute(db),
    /violates foreign key/,
  )
  const { rows: triggers } = await sql<{ enabled: boolean }>`
    select bool_and(tgenabled = 'O') as enabled from pg_trigger where not tgisinternal`.execute(db)
  assert.deepEqual(triggers, [{ enabled: true }])
  const { rows: jobs } = await sql<{ n: number }>`select count(*)::int as n from pgboss.job`.execute(db)
  assert.ok((jobs[0]?.n ?? 0) > 0)
  await assert.rejects(restore(embedded, backup), {
    message: /^The database is not empty: it has the table /,
  })
  await assertRestored(embedded)
})

test('… into PostgreSQL as well', { skip: !testServer && 'PostgreSQL only' }, async () => {
  const target = await emptyPostgres()
  try {
    await restore(target, backup)
    await assertRestored(target)
  } finally {
    await target.close()
  }
})

test('a file that is too large to be held is backed up as it was opened, or not at all', async () => {
  const { backgroundDb: db, objects } = api.context
  const open: Objects['open'] = async (key) => {
    const object = await objects.open(key)
    return object && { ...object, size: object.size + (key === LARGE_KEY ? 1 : 0) }
  }
  const output = new PassThrough()
  output.resume()
  await assert.rejects(createBackup({ db, objects: { ...objects, open }, settings: {} }, output), {
    message: `files/${LARGE_KEY} is no longer ${LARGE.length + 1} bytes long, as it was when it was opened.`,
  })
  assert.ok(output.destroyed)
})

test('an upload that ends after the records have been read is not in the backup', async () => {
  const { objects } = api.context
  await objects.write([['files/later', 'later']])
  try {
    const files = Object.keys(await filesOf(objects)).length
    const output = new PassThrough()
    output.resume()
    const manifest = await createBackup({ db: api.context.backgroundDb, objects, settings: {} }, output)
    assert.equal(manifest.files, files - 1)
  } finally {
    await objects.delete(['files/later'])
  }
})
