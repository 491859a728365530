import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Objects, StoreRefusal } from '#src/platform/objects/objects.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { ada } from '#src/testing/settings.ts'
import { sweepUploads } from './content-store.ts'
import { about, type Fields, filesOf, form, ok, type Part } from './files.fixture.ts'
import { MAX_FILE_BYTES, MAX_UPLOADS_PER_USER } from './schema.ts'

let api: TestApp
let address: URL
let one: string
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  address = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }))
  one = await company()
})
after(() => api.close())

const { post, upload, version, company, list, get } = filesOf(() => api)

/** What an upload leaves behind, apart from its file. */
async function leftovers(of = api) {
  const objects = new Set<string>()
  for await (const key of of.context.objects.list()) if (key.startsWith('files/')) objects.add(key)
  const { db } = of.context
  const rows = await db.selectFrom('file_versions').select('object_key').execute()
  for (const { object_key } of rows) assert.ok(objects.delete(object_key), `${object_key} is missing`)
  const pending = await db.selectFrom('pending_uploads').select('object_key').execute()
  const temporary = await readdir(path.join(of.config.dataFolder, 'uploads')).catch(() => [])
  return { objects: [...objects], pending: pending.length, temporary: temporary.length }
}
const NOTHING = { objects: [], pending: 0, temporary: 0 }

/** Begins the upload of a large file over a real connection: the form up to its file. */
function begin(fileName: string): { sending: ClientRequest; answer: Promise<Fields>; end: string } {
  const parts: Part[] = [
    ['about', JSON.stringify([about(one)])],
    ['file', '', fileName],
  ]
  const { payload, type } = form(parts, 'boundary')
  const end = '\r\n--boundary--\r\n'
  const sending = request(new URL('/api/files', address), {
    method: 'POST',
    headers: { 'x-user-email': ada, 'content-type': type },
  })
  const answer = new Promise<Fields>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) })
    })
  })
  answer.catch(() => {})
  sending.write(payload.subarray(0, payload.length - end.length))
  return { sending, answer, end }
}

const MB = Buffer.alloc(1024 * 1024, 'x')

/** Sends this many bytes, as fast as the service takes them. */
async function write(sending: ClientRequest, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; left -= MB.length) {
    const isTaken = sending.write(MB.subarray(0, Math.min(left, MB.length)))
    if (!isTaken) await new Promise((resolve) => sending.once('drain', resolve))
  }
}

test('100 MB are taken; one byte more is a 413 that names the limit', async () => {
  const whole = begin('whole.bin')
  await write(whole.sending, MAX_FILE_BYTES)
  whole.sending.end(whole.end)
  const { status, body } = await whole.answer
  assert.equal(status, 201, JSON.stringify(body))
  const sha256 = createHash('sha256')
  for (let count = 0; count < 100; count++) sha256.update(MB)
  assert.deepEqual([body.data.size, body.data.sha256], [MAX_FILE_BYTES, sha256.digest('hex')])

  const longer = begin('longer.bin')
  await write(longer.sending, MAX_FILE_BYTES + 1)
  longer.sending.end(longer.end)
  const refused = await longer.answer
  assert.equal(refused.status, 413)
  assert.match(refused.body.details, /^The file must not be larger than 100 MB \(104857600 bytes\)\.$/)
  assert.deepEqual(await leftovers(), NOTHING)
})

test('an upload that is aborted at 99 % leaves nothing', async () => {
  const { sending } = begin('aborted.bin')
  await write(sending, 20 * MB.length)
  await eventually(async () => assert.equal((await leftovers()).temporary, 1))
  sending.destroy()
  await eventually(async () => assert.deepEqual(await leftovers(), NOTHING))
  assert.deepEqual((await list('search=aborted')).data, [])
})

test('each user runs a few uploads at a time', async () => {
  const running = Array.from({ length: MAX_UPLOADS_PER_USER }, (_, index) => begin(`slow ${index}.txt`))
  for (const { sending } of running) sending.write('text')
  await eventually(async () => assert.equal((await leftovers()).temporary, MAX_UPLOADS_PER_USER))
  const refused = await post({ about: [about(one)], fileName: 'fifth.txt' })
  assert.equal(refused.status, 429)
  assert.match(refused.body.details, /^You may run 4 uploads at a time/)
  assert.ok(refused.headers['retry-after'])
  for (const { sending, end } of running) sending.end(`text${end}`)
  for (const { answer } of running) assert.equal((await answer).status, 201)
  assert.equal((await post({ about: [about(one)], fileName: 'fifth.txt' })).status, 201)
})

test('of two uploads with one name at once, one is version 1 and one is version 2, and none is lost', async () => {
  const contents = ['First', 'Second', 'Third', 'Fourth']
  const answers = await Promise.all(
    contents.map((content) => post({ about: [about(one)], fileName: 'race.txt', content })),
  )
  const ids = new Set(answers.map((answer) => ok(answer).id))
  assert.equal(ids.size, 1)
  const [id] = ids
  const read = await Promise.all(
    [1, 2, 3, 4].map(async (number) => (await get(`/api/files/${id}/content?version=${number}`)).body),
  )
  assert.deepEqual(read.sort(), contents.sort())
  assert.deepEqual(await leftovers(), NOTHING)
})

test('a repeated upload with one Idempotency-Key has one effect, also with another boundary', async () => {
  const parts = { about: [about(one)], fileName: 'once.txt', content: 'Once\r\n--b\r\n', name: 'Once.txt' }
  const headers = { 'idempotency-key': 'upload-1' }
  const first = await post({ ...parts, headers, boundary: 'b'.repeat(40) })
  assert.equal(first.status, 201, JSON.stringify(first.body))
  const again = await post({ ...parts, headers, boundary: 'other-boundary' })
  assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true'])
  assert.deepEqual(again.body, first.body)
  assert.equal((await list('search=once')).data[0].versions, 1)
  const reused = await post({ ...parts, content: 'Other', headers })
  assert.equal(reused.status, 422)
  assert.deepEqual(await leftovers(), NOTHING)
})

test('beyond FILES_MAX_GB, an upload is a 507 that says what is used and allowed', async () => {
  const small = await testApp({ EMBEDDINGS: 'off', FILES_MAX_GB: '0.000001' })
  try {
    const { data } = (await small.call('POST', '/api/companies', { name: 'Full' })).body
    const files = filesOf(() => small)
    const first = await files.upload({ about: [about(data.id)], content: 'x'.repeat(600) })
    const usage = async () => ok(await small.call('GET', '/api/files/usage'))
    assert.deepEqual(await usage(), { bytes: 600, files: 1, limit_bytes: 1073 })
    for (const answer of [
      await files.post({ about: [about(data.id)], content: 'y'.repeat(600), fileName: 'other.txt' }),
      await files.version(first.id, 'y'.repeat(600)),
    ]) {
      assert.equal(answer.status, 507, JSON.stringify(answer.body))
      assert.match(
        answer.body.details,
        /may take 1073 bytes \(FILES_MAX_GB\).* they take 600 bytes, and this file is 600 bytes/,
      )
      assert.equal(answer.body.error, 'Insufficient storage')
    }
    await small.call('DELETE', `/api/files/${first.id}`)
    assert.equal((await usage()).bytes, 600, 'the trash counts')
    assert.equal((await small.call('DELETE', `/api/trash/${first.id}`)).status, 204)
    assert.deepEqual(await usage(), { bytes: 0, files: 0, limit_bytes: 1073 })
    assert.deepEqual(await leftovers(small), NOTHING)
  } finally {
    await small.close()
  }
})

for (const [title, error, details] of [
  [
    'is full or down',
    new Error('secret: no space left'),
    /^The object storage cannot store the file now\..*later/,
  ],
  ['refuses the file', new StoreRefusal('Allow s3:PutObject.'), /^Allow s3:PutObject\. Nothing was saved\.$/],
] as const)
  test(`a store that ${title} is a 503, and nothing stays`, async () => {
    const { objects } = api.context
    const { writeFile } = objects
    objects.writeFile = () => Promise.reject(error)
    const { status, body } = await post({ about: [about(one)], fileName: 'no-space.txt' })
    objects.writeFile = writeFile
    assert.equal(status, 503)
    assert.match(body.details, details)
    assert.doesNotMatch(JSON.stringify(body), /secret/)
    assert.deepEqual(await leftovers(), NOTHING)
  })

test('an object that the store refuses to delete does not keep others from being swept', async () => {
  const { backgroundDb: db, objects } = api.context
  const keys = Array.from({ length: 250 }, (_, n) => `files/swept-${String(n).padStart(3, '0')}`)
  await db
    .insertInto('pending_uploads')
    .values(keys.map((object_key) => ({ object_key, abandoned: true })))
    .execute()
  const refused = keys[3] as string
  const deletes: Objects['delete'] = async (some) => {
    if ([...some].includes(refused)) throw new StoreRefusal('It is locked.')
  }
  await assert.rejects(sweepUploads({ db, objects: { ...objects, delete: deletes } }), /It is locked/)
  assert.deepEqual(await db.selectFrom('pending_uploads').select('object_key').execute(), [
    { object_key: refused },
  ])
  await sweepUploads({ db, objects })
  assert.deepEqual(await leftovers(), NOTHING)
})

test('a transaction that fails deletes the object, and one whose commit is unknown keeps it', async () => {
  const { id } = await upload({ about: [about(one)], fileName: 'commit.txt', content: 'First' })
  const { db } = api.context
  const { transaction } = db
  let isCommitted = false
  db.transaction = () => {
    const { execute, ...builder } = transaction.call(db)
    return {
      ...builder,
      execute: async (work: Parameters<typeof execute>[0]) => {
        if (isCommitted) await transaction.call(db).execute(work)
        throw new Error('Connection terminated')
      },
    } as never
  }
  try {
    assert.equal((await version(id, 'Lost')).status, 503)
    assert.deepEqual(await leftovers(), NOTHING)
    isCommitted = true
    assert.equal((await version(id, 'Kept')).status, 503)
  } finally {
    db.transaction = transaction
  }
  assert.deepEqual(await leftovers(), NOTHING)
  assert.equal((await get(`/api/files/${id}/content`)).body, 'Kept')
})
