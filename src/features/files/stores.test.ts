import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startObjectStore } from '#dev/object-store.ts'
import { UploadFolder } from '#src/platform/http/upload-folder.ts'
import { folderObjects } from '#src/platform/objects/folder.ts'
import { FreeSpace } from '#src/platform/process/free-space.ts'
import { testApp } from '#src/testing/app.ts'
import { about, filesOf, ok } from './files.fixture.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'deal-pipeline-stores-'))
after(() => rm(folder, { recursive: true, force: true }))

test('files are stored in a bucket, served in ranges, and purged from it', async () => {
  const store = await startObjectStore()
  const api = await testApp({ EMBEDDINGS: 'off', ...store.settings })
  try {
    const { company, get, upload, version } = filesOf(() => api)
    const content = randomBytes(6_000_000)
    const { id } = await upload({ about: [about(await company())], fileName: 'Large.bin', content })
    assert.deepEqual((await get(`/api/files/${id}/content`)).rawPayload, content)
    const part = await get(`/api/files/${id}/content`, undefined, { range: 'bytes=1000-1999' })
    assert.deepEqual([part.statusCode, part.rawPayload], [206, content.subarray(1000, 2000)])
    ok(await version(id, 'Second'))
    const keys = async () => {
      const found: string[] = []
      for await (const key of api.context.objects.list()) found.push(key)
      return found
    }
    assert.equal((await keys()).length, 2)
    await api.call('DELETE', `/api/files/${id}`)
    assert.equal((await api.call('DELETE', `/api/trash/${id}`)).status, 204)
    assert.deepEqual(await keys(), [])
  } finally {
    await api.close()
    await store.close()
  }
})

test('a bucket that does not answer makes an upload a 503 that leaves nothing', async () => {
  const store = await startObjectStore()
  const api = await testApp({ EMBEDDINGS: 'off', ...store.settings })
  try {
    const { company, post } = filesOf(() => api)
    const one = await company()
    await store.close()
    const { status, body } = await post({ about: [about(one)] })
    assert.deepEqual([status, body.error], [503, 'Dependency unavailable'])
    assert.deepEqual(await api.context.db.selectFrom('files').selectAll().execute(), [])
    // The object may be there, so the sweep looks for it later.
    const pending = await api.context.db.selectFrom('pending_uploads').selectAll().execute()
    assert.deepEqual(
      pending.map(({ abandoned }) => abandoned),
      [true],
    )
  } finally {
    await api.close()
  }
})

test('while the disk for uploads is nearly full, an upload is a 503 that names it, and leaves nothing', async () => {
  const limits = { minBytes: 10, minPercent: 0 }
  const statfs = () => ({ bsize: 1, blocks: 1000, bavail: 500 })
  const uploads = new UploadFolder(
    path.join(folder, 'uploads'),
    new FreeSpace('the uploaded files', folder, { limits, statfs }),
  )
  const api = await testApp({ EMBEDDINGS: 'off' }, { uploads })
  try {
    const { company, post } = filesOf(() => api)
    const { status, body } = await post({ about: [about(await company())], content: 'x'.repeat(600) })
    assert.equal(status, 503)
    assert.match(body.details, /^The disk that holds the uploaded files has only/)
    const left = existsSync(path.join(folder, 'uploads')) ? readdirSync(path.join(folder, 'uploads')) : []
    assert.deepEqual(left, [])
    assert.deepEqual(await api.context.db.selectFrom('pending_uploads').selectAll().execute(), [])
  } finally {
    await api.close()
  }
})

test('a file is moved into the folder of objects', async () => {
  const objects = folderObjects(path.join(folder, 'objects'))
  const file = path.join(folder, 'temporary')
  writeFileSync(file, 'content')
  await objects.writeFile('files/a', file)
  assert.equal(existsSync(file), false)
  assert.equal(String(await objects.read('files/a')), 'content')
  await assert.rejects(objects.writeFile('files/b', path.join(folder, 'missing')), { code: 'ENOENT' })
  assert.equal(await objects.read('files/b'), null)
})
