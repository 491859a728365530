import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Unavailable } from '#src/platform/errors.ts'
import { FreeSpace } from '#src/platform/process/free-space.ts'
import { BufferedUpload } from './buffered-upload.ts'
import { UploadFolder } from './upload-folder.ts'

const MB = 1024 * 1024
const LIMITS = { minBytes: 64 * MB, minPercent: 0 }

let root: string
before(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'deal-pipeline-uploads-'))
})
after(() => rmSync(root, { recursive: true }))

const folderOf = (name: string) => path.join(root, name)

/** A folder on a disk of 10 GB with so many megabytes free. */
function uploadFolder(name: string, freeMb = 5000): UploadFolder {
  const statfs = () => ({ bsize: MB, blocks: 10_000, bavail: freeMb })
  return new UploadFolder(
    folderOf(name),
    new FreeSpace('the uploaded files', root, { limits: LIMITS, statfs, now: () => 0 }),
  )
}

/** Sends everything before the reader begins. */
async function sent(content: Buffer, chunkBytes: number, folder: UploadFolder): Promise<BufferedUpload> {
  const source = new PassThrough()
  const upload = new BufferedUpload(source, folder)
  for (let start = 0; start < content.length; start += chunkBytes)
    source.write(content.subarray(start, start + chunkBytes))
  source.end()
  await finished(source)
  return upload
}

async function contentOf(upload: BufferedUpload): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of upload.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

for (const chunkBytes of [1000, 65_536, 3 * MB])
  test(`an upload in chunks of ${chunkBytes} bytes is whole before it is read, and reaches its reader unchanged`, async () => {
    const content = randomBytes(7 * MB + 5)
    const upload = await sent(content, chunkBytes, uploadFolder('whole'))
    assert.ok(content.equals(await contentOf(upload)))
    await upload.close()
    assert.deepEqual(readdirSync(folderOf('whole')), [])
  })

test('a reader that keeps up with a client that pauses reads everything', async () => {
  const source = new PassThrough()
  const upload = new BufferedUpload(source, uploadFolder('slow'))
  const chunks = upload.read()
  for (const text of ['one', 'two']) {
    const next = chunks.next()
    source.write(text)
    assert.equal(String((await next).value), text)
  }
  const end = chunks.next()
  source.end()
  assert.equal((await end).done, true)
})

test('an upload that is read while it is written arrives unchanged', async () => {
  const content = randomBytes(20 * MB)
  const source = new PassThrough()
  const upload = new BufferedUpload(source, uploadFolder('both'))
  const reading = contentOf(upload)
  for (let start = 0; start < content.length; start += 700_000) {
    source.write(content.subarray(start, start + 700_000))
    if (start % 4_200_000 === 0) await setImmediate()
  }
  source.end()
  assert.ok(content.equals(await reading))
  await upload.close()
})

test('a small upload needs no file, and one that cannot be written to its file is Unavailable', async () => {
  writeFileSync(folderOf('blocked'), '')
  const blocked = () => uploadFolder(path.join('blocked', 'uploads'))
  const small = await sent(Buffer.from('small'), 1, blocked())
  assert.equal(String(await contentOf(small)), 'small')
  const large = await sent(randomBytes(2 * MB), 65_536, blocked())
  await assert.rejects(contentOf(large), /^Error: The upload cannot be written to DATA_DIR \(ENOTDIR\)\.$/)
  await large.close()
})

test('an upload leaves the free space that others need, also between two readings of it', async () => {
  const folder = uploadFolder('full', 70)
  folder.requireSpace(5 * MB)
  assert.throws(
    () => folder.requireSpace(7 * MB),
    /has only 70 MB free, and 7 MB more would leave less than 64 MB\. Free some space on it\.$/,
  )
  const upload = await sent(randomBytes(12 * MB), 65_536, folder)
  await assert.rejects(contentOf(upload), Unavailable)
  await upload.close()
  assert.deepEqual(readdirSync(folderOf('full')), [])
})

test('a failure ends the reading at once, whatever has arrived, and leaves no file', async () => {
  const source = new PassThrough()
  const upload = new BufferedUpload(source, uploadFolder('failed'))
  const chunks = upload.read()
  source.write(randomBytes(3 * MB))
  await chunks.next()
  source.destroy(new Error('aborted'))
  await assert.rejects(finished(source))
  await assert.rejects(chunks.next(), /aborted/)
  await upload.close()
  assert.deepEqual(readdirSync(folderOf('failed')), [])

  const whole = await sent(randomBytes(3 * MB), 65_536, uploadFolder('failed'))
  whole.fail(new Error('The service was stopped.'))
  await assert.rejects(contentOf(whole), /stopped/)
  await whole.close()
})

test('what a reader leaves unread is received and dropped', async () => {
  const source = new PassThrough()
  const upload = new BufferedUpload(source, uploadFolder('unread'))
  source.write(randomBytes(3 * MB))
  await upload.close()
  source.end(randomBytes(3 * MB))
  await finished(source)
  assert.ok(!readdirSync(root).includes('unread') || readdirSync(folderOf('unread')).length === 0)
})
