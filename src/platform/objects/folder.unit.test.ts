import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Unavailable } from '#src/platform/errors.ts'
import { FreeSpace } from '#src/platform/process/free-space.ts'
import { eventually } from '#src/testing/eventually.ts'
import { cannotMount, mountSmallDisk } from '#src/testing/small-disk.ts'
import { folderObjects } from './folder.ts'

const root = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-folder-'))
after(() => rm(root, { recursive: true, force: true }))

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

test('a write that fails leaves no unfinished file', async () => {
  const folder = path.join(root, 'blocked')
  const objects = folderObjects(folder)
  mkdirSync(path.join(folder, 'a', 'taken'), { recursive: true })
  await assert.rejects(objects.write([['a/taken', 'text']]), { code: 'EISDIR' })
  assert.deepEqual(filesIn(folder), [])
})

test('many files are written whole, in a thread, up to the first that cannot be written', async () => {
  const folder = path.join(root, 'many')
  const objects = folderObjects(folder)
  const many = (prefix: string) =>
    Array.from({ length: 250 }, (_value, n): [string, string | Buffer] => [
      `${prefix}${n}/file`,
      n % 2 ? `Søven ${n}` : Buffer.from([n, 0, 255]),
    ])
  await Promise.all([objects.write(many('a')), objects.write(many('b'))])
  for (const [key, content] of [...many('a'), ...many('b')])
    assert.deepEqual(await objects.read(key), Buffer.from(content))
  mkdirSync(path.join(folder, 'c120', 'file'), { recursive: true })
  await assert.rejects(objects.write(many('c')), { code: 'EISDIR' })
  assert.equal(filesIn(folder).length, 500 + 120)
  assert.ok(filesIn(folder).every((name) => name === 'file'))
})

test('what a killed process left unfinished is removed an hour later', async () => {
  const folder = path.join(root, 'killed')
  const unfinished = path.join(folder, '.unfinished')
  await folderObjects(folder).write([['a/b', 'text']])
  for (const name of ['former', 'current']) writeFileSync(path.join(unfinished, name), 'te')
  const anHourAgo = new Date(Date.now() - 3_601_000)
  utimesSync(path.join(unfinished, 'former'), anHourAgo, anHourAgo)
  folderObjects(folder)
  await eventually(() => assert.deepEqual(filesIn(folder).sort(), ['b', 'current']))
})

test('a folder that has been replaced can be written to', async () => {
  const folder = path.join(root, 'replaced')
  const objects = folderObjects(folder)
  await objects.write([['a/b', 'text']])
  await rm(folder, { recursive: true })
  await assert.rejects(objects.write([['a/b', 'text']]), { code: 'ENOENT' })
  mkdirSync(folder)
  await objects.write([['a/b', 'text']])
  assert.deepEqual(filesIn(folder), ['b'])
})

test('a full disk leaves no unfinished file, and the previous object as it was', {
  skip: cannotMount(),
}, async () => {
  const disk = mountSmallDisk(2)
  try {
    const folder = path.join(disk.folder, 'objects')
    const objects = folderObjects(folder)
    await objects.write([['a/b', 'former']])
    await disk.fill(4096)
    await assert.rejects(objects.write([['a/b', Buffer.alloc(1024 * 1024)]]), { code: 'ENOSPC' })
    assert.deepEqual(filesIn(folder), ['b'])
    assert.equal(String(await objects.read('a/b')), 'former')
  } finally {
    disk.unmount()
  }
})

test('nothing is written while the disk is nearly full', async () => {
  const folder = path.join(root, 'full')
  const freeSpace = new FreeSpace('the files', folder, {
    limits: { minBytes: 100, minPercent: 0 },
    statfs: () => ({ bsize: 1, blocks: 1000, bavail: 99 }),
  })
  await assert.rejects(folderObjects(folder, freeSpace).write([['a/b', 'text']]), Unavailable)
  assert.deepEqual(filesIn(folder), [])
})
