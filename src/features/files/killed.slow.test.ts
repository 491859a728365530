import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderObjects } from '#src/platform/objects/folder.ts'
import { objectsFolder } from '#src/platform/objects/open-objects.ts'
import { eventually } from '#src/testing/eventually.ts'
import { killableService, killService, removeServices } from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { sweepUploads } from './content-store.ts'

const KILLS = 8
const UPLOADS_AT_ONCE = 3
const MAX_FILE_BYTES = 3_000_000
const MAX_LIFE_MS = 1500

after(removeServices)

test('uploads of a service that is killed again and again are whole or absent, and leave no object', async (t) => {
  const random = loggedRandom(t)
  const { client, openData, settings, start } = await killableService({ EMBEDDINGS: 'off' })
  const hashes = new Map<string, string>()
  const answered = new Set<string>()
  let service = await start()
  const company = (await client.createCompany({ body: { name: 'Killed' } })).data.id
  const upload = async (number: number): Promise<void> => {
    const content = randomBytes(1 + Math.floor(random() * MAX_FILE_BYTES))
    const sha256 = createHash('sha256').update(content).digest('hex')
    hashes.set(sha256, `File ${number}.bin`)
    const body = new FormData()
    body.append('about', JSON.stringify([{ type: 'company', id: company }]))
    // Every third one is a version of the same file.
    body.append('file', new Blob([content]), number % 3 ? `File ${number}.bin` : 'Versions.bin')
    await client.uploadFile({ body }).then(
      () => answered.add(sha256),
      () => {},
    )
  }
  let number = 0
  for (let kill = 0; kill < KILLS; kill++) {
    let isAlive = true
    const uploading = Array.from({ length: UPLOADS_AT_ONCE }, async () => {
      while (isAlive) await upload(++number)
    })
    if (kill === 0) await eventually(() => assert.ok(answered.size > 0))
    await sleep(random() * MAX_LIFE_MS)
    await killService(service)
    isAlive = false
    await Promise.all(uploading)
    service = await start()
  }
  await killService(service)

  const database = await openData()
  try {
    const { db } = database
    const objects = folderObjects(objectsFolder(String(settings.DATA_DIR)))
    await sweepUploads({ db, objects }, undefined, 0)
    const rows = await db.selectFrom('file_versions').selectAll().execute()
    const files = await db.selectFrom('files').selectAll().execute()
    for (const { object_key, sha256, size } of rows) {
      const content = (await objects.read(object_key)) as Buffer
      assert.equal(createHash('sha256').update(content).digest('hex'), sha256, object_key)
      assert.equal(content.length, Number(size))
      assert.ok(hashes.has(sha256))
    }
    const keys: string[] = []
    for await (const key of objects.list()) if (key.startsWith('files/')) keys.push(key)
    assert.deepEqual(keys.sort(), rows.map(({ object_key }) => object_key).sort())
    assert.deepEqual(await db.selectFrom('pending_uploads').selectAll().execute(), [])
    for (const { id, version } of files)
      assert.ok(
        rows.some((row) => row.file_id === id && row.version === version),
        `${id} has its present version`,
      )
    const stored = new Set(rows.map(({ sha256 }) => sha256))
    for (const sha256 of answered) assert.ok(stored.has(sha256), `${hashes.get(sha256)} was confirmed`)
    t.diagnostic(`${number} uploads, ${answered.size} confirmed, ${rows.length} stored`)
    assert.ok(answered.size > 0 && answered.size < number)
  } finally {
    await database.close()
  }
})
