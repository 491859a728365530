import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { InvalidInput } from '#src/platform/errors.ts'
import { requireStatedSizes, zipEntries } from './zip-directory.ts'

interface File {
  name: string
  content: string | Buffer
  /** The sizes that the directory and the local header state. */
  stated?: number
  local?: number
  extra?: Buffer
  localExtra?: Buffer
  isStored?: boolean
}

/** An archive that states what a test wants. */
function archiveOf(files: File[], comment = ''): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  for (const file of files) {
    const { name, extra = Buffer.alloc(0), localExtra = Buffer.alloc(0), isStored = false } = file
    const content = Buffer.from(file.content)
    const data = isStored ? content : deflateRawSync(content)
    const stated = file.stated ?? content.length
    const offset = Buffer.concat(parts).length
    const method = isStored ? 0 : 8
    const sizes = (uncompressed: number) => [...u32(0, data.length, uncompressed), ...u16(name.length)]
    const version = u16(20, 0, method, 0, 0)
    const local = [...sizes(file.local ?? stated), ...u16(localExtra.length)]
    parts.push(Buffer.from([...u32(0x04034b50), ...version, ...local]), Buffer.from(name), localExtra, data)
    const entry = [
      ...u32(0x02014b50),
      ...u16(20),
      ...version,
      ...sizes(stated),
      ...u16(extra.length, 0, 0, 0),
    ]
    directory.push(Buffer.from([...entry, ...u32(0, offset)]), Buffer.from(name), extra)
  }
  const start = Buffer.concat(parts)
  const entries = Buffer.concat(directory)
  const count = u16(0, 0, files.length, files.length)
  const end = [...u32(0x06054b50), ...count, ...u32(entries.length, start.length), ...u16(comment.length)]
  return Buffer.concat([start, entries, Buffer.from(end), Buffer.from(comment)])
}

const u16 = (...values: number[]): number[] => values.flatMap((value) => [value & 0xff, value >>> 8])
const u32 = (...values: number[]): number[] =>
  values.flatMap((value) => u16(value & 0xffff, Math.floor(value / 0x10000)))

/** The extra field for the sizes of large files. */
const large = (size: number): Buffer => Buffer.from([...u16(1, 16), ...u32(size, 0, size, 0)])

const MB = 1024 * 1024
const SMALL: File = { name: 'a.xml', content: 'Fjell' }
const isDamaged = (error: Error): boolean =>
  error instanceof InvalidInput && /damaged/.test(error.message) && /Save it again/.test(error.message)

for (const [kind, file] of Object.entries<File>({
  compressed: { name: 'b.xml', content: 'x'.repeat(MB) },
  stored: { name: 'b.xml', content: 'x'.repeat(1000), isStored: true },
  empty: { name: 'b.xml', content: '' },
  'without a size in the local header': { name: 'b.xml', content: 'Bre', local: 0 },
  'with the size in an extra field': {
    name: 'b.xml',
    content: 'Bre',
    local: 0xffffffff,
    localExtra: Buffer.concat([Buffer.from([...u16(0x5455, 1), 0]), large(3)]),
  },
}))
  test(`an archive with a file that is ${kind} is as large as it states`, async () => {
    for (const comment of ['', 'by a program', 'x'.repeat(60_000)])
      await requireStatedSizes(archiveOf([SMALL, file, SMALL], comment))
  })

for (const [kind, file] of Object.entries<File>({
  'a byte too large': { name: 'b.xml', content: 'x'.repeat(1001), stated: 1000 },
  'far too large': { name: 'b.xml', content: Buffer.alloc(200 * MB), stated: 1024 },
  'said to be empty': { name: 'b.xml', content: 'Bre', stated: 0 },
  'larger in its local header': { name: 'b.xml', content: 'Bre', local: 1_000_000_000 },
  'larger in its extra field': { name: 'b.xml', content: 'Bre', localExtra: large(1_000_000_000) },
  'larger in the extra field of the directory': {
    name: 'b.xml',
    content: 'Bre',
    extra: large(1_000_000_000),
  },
  'of an unknown size': { name: 'b.xml', content: 'Bre', local: 0xffffffff },
}))
  test(`a file that is ${kind} is refused`, async () => {
    await assert.rejects(requireStatedSizes(archiveOf([SMALL, file])), (error: Error) => {
      assert.ok(isDamaged(error))
      assert.match(error.message, /its part "b\.xml" is larger than the archive states/)
      return true
    })
  })

test('a file whose data ends later than the directory says is measured to its end', async () => {
  const archive = archiveOf([{ name: 'b.xml', content: Buffer.alloc(10 * MB), stated: 10 }])
  const entry = archive.indexOf('PK\x01\x02', 0, 'latin1')
  archive.writeUInt32LE(3, entry + 20)
  await assert.rejects(requireStatedSizes(archive), isDamaged)
})

test('an archive that is cut or overwritten is refused', async () => {
  const archive = archiveOf([SMALL, { name: 'b.xml', content: 'Bre'.repeat(1000) }])
  for (const length of [4, 30, archive.length - 60, archive.length - 1])
    await assert.rejects(requireStatedSizes(archive.subarray(0, length)), isDamaged)
  const overwritten = Buffer.from(archive)
  overwritten.fill(0xff, 35, 42)
  await assert.rejects(requireStatedSizes(overwritten), isDamaged)
  const moved = Buffer.from(archive)
  moved.writeUInt32LE(0xfffffff0, moved.indexOf('PK\x01\x02', 0, 'latin1') + 42)
  await assert.rejects(requireStatedSizes(moved), isDamaged)
})

test('the directory that the library reads is the one that is checked', () => {
  const archive = archiveOf([SMALL, SMALL])
  // The number of entries on this disk, and on all.
  archive.writeUInt16LE(1, archive.length - 22 + 10)
  assert.equal(zipEntries(archive).length, 2)
  const hidden = Buffer.concat([archiveOf([SMALL]), archiveOf([SMALL, SMALL])])
  assert.throws(() => zipEntries(hidden), isDamaged)
})

test('a signal ends the check', async () => {
  const archive = archiveOf([{ name: 'b.xml', content: Buffer.alloc(MB) }])
  await assert.rejects(requireStatedSizes(archive, AbortSignal.abort(new Error('stopped'))), /stopped/)
})
