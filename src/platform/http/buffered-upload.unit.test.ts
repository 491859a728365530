import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ReplayableFile } from '#src/platform/csv/replayable-file.ts'
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

async function contentOf(file: ReplayableFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of file.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

for (const chunkBytes of [1000, 65_536, 3 * MB])
  test(`an upload in chunks of ${chunkBytes} bytes is read from the start, as often as wanted`, async () => {
    const content = randomBytes(7 * MB + 5)
    const upload = await sent(content, chunkBytes, uploadFolder('whole'))
    const file = await upload.whole()
    assert.equal(file.size, content.length)
    for await (const chunk of file.read()) {
      assert.ok(content.subarray(0, chunk.length).equals(chunk))
      break
    }
    assert.ok(content.equals(await contentOf(file)))
    assert.ok(content.equals(await contentOf(file)))
    await upload.close()
    assert.deepEqual(readdirSync(folderOf('whole')), [])
  })

test('two readings at once do not disturb each other', async () => {
  const content = randomBytes(3 * MB)
  const upload = await sent(content, 65_536, uploadFolder('two'))
  const file = await upload.whole()
  const [first, second] = await Promise.all([contentOf(file), contentOf(file)])
  assert.ok(content.equals(first) && content.equals(second))
  await upload.close()
})

test('an upload is whole when its client has sent all, and says how much has arrived', async () => {
  const source = new PassThrough()
  const upload = new BufferedUpload(source, uploadFolder('slow'))
  const progress: number[] = []
  let file: ReplayableFile | undefined
  const whole = upload
    .whole((received) => progress.push(received))
    .then((received) => {
      file = received
    })
  for (const text of ['one', 'three']) {
    source.write(text)
    await setImmediate()
    assert.equal(file, undefined)
  }
  source.end()
  await whole
  assert.equal(String(await contentOf(file as ReplayableFile)), 'onethree')
  assert.deepEqual([...new Set(progress)], [0, 3, 8])
})

test('a client that is faster than the disk waits', async () => {
  const content = randomBytes(20 * MB)
  const source = new PassThrough()
  const upload = new BufferedUpload(source, uploadFolder('both'))
  const whole = upload.whole()
  let waits = 0
  for (let start = 0; start < content.length; start += 700_000)
    if (!source.write(content.subarray(start, start + 700_000))) {
      waits += 1
      await new Promise((resolve) => source.once('drain', resolve))
    }
  source.end()
  assert.ok(waits > 0)
  assert.ok(content.equals(await contentOf(await whole)))
  await upload.close()
})

test('a small upload needs no file, and one that cannot be written to its file is Unavailable', async () => {
  writeFileSync(folderOf('blocked'), '')
  const blocked = () => uploadFolder(path.join('blocked', 'uploads'))
  const small = await sent(Buffer.from('small'), 1, blocked())
  assert.equal(String(await contentOf(await small.whole())), 'small')
  const large = await sent(randomBytes(2 * MB), 65_536, blocked())
  await assert.rejects(large.whole(), /^Error: The upload cannot be written to DATA_DIR \(ENOTDIR\)\.$/)
  await large.close()
})

test('an upload leaves the free space that others need, also between two checks of it', async () => {
  const folder = uploadFolder('full', 70)
  folder.requireSpace(5 * MB)
  assert.throws(
    () => folder.requireSpace(7 * MB),
    /has only 70 MB free, and 7 MB more would leave less than 64 MB\. Free some space on it\.$/,
  )
  const upload = await sent(randomBytes(12 * MB), 65_536, folder)
  await assert.rejects(upload.whole(), Unavailable)
  await upload.close()
  assert.deepEqual(readdirSync(folderOf('full')), [])
})

test('a client that disconnects ends the waiting at once, and leaves no file', async () => {
  const source = new PassThrough()
  const upload = new BufferedUpload(source, uploadFolder('failed'))
  const whole = upload.whole()
  source.write(randomBytes(3 * MB))
  source.destroy(new Error('aborted'))
  await assert.rejects(finished(source))
  await assert.rejects(whole, /aborted/)
  await upload.close()
  assert.deepEqual(readdirSync(folderOf('failed')), [])
})

for (const size of [100, 3 * MB])
  test(`a failure ends the reading of ${size} bytes, and all later ones`, async () => {
    const upload = await sent(randomBytes(size), 50, uploadFolder('stopped'))
    const file = await upload.whole()
    const reading = file.read()[Symbol.asyncIterator]()
    await reading.next()
    upload.fail(new Error('The service was stopped.'))
    await assert.rejects(reading.next(), /stopped/)
    await assert.rejects(contentOf(file), /stopped/)
    await assert.rejects(upload.whole(), /stopped/)
    await upload.close()
    assert.deepEqual(existsSync(folderOf('stopped')) ? readdirSync(folderOf('stopped')) : [], [])
  })

test('a reading of a closed upload fails instead of ending early', async () => {
  const upload = await sent(randomBytes(3 * MB), 65_536, uploadFolder('closed'))
  const file = await upload.whole()
  await upload.close()
  await assert.rejects(contentOf(file), /closed/)
})

test('a temporary file is read while it grows, leaves space for others, and is gone when it is closed', async () => {
  const folder = uploadFolder('unpacked', 70)
  const file = await folder.create()
  await file.append(Buffer.from('one '))
  await file.append(Buffer.from('two'))
  assert.equal(file.size, 7)
  assert.equal(String(await contentOf(file)), 'one two')
  await file.append(Buffer.from(' three'))
  assert.equal(String(await contentOf(file)), 'one two three')
  await assert.rejects(file.append(Buffer.alloc(12 * MB)), Unavailable)
  await file.close()
  assert.deepEqual(readdirSync(folderOf('unpacked')), [])
})

test('an upload that is closed early is received and dropped', async () => {
  const source = new PassThrough()
  const upload = new BufferedUpload(source, uploadFolder('unread'))
  source.write(randomBytes(3 * MB))
  await upload.close()
  source.end(randomBytes(3 * MB))
  await finished(source)
  assert.ok(!readdirSync(root).includes('unread') || readdirSync(folderOf('unread')).length === 0)
})
