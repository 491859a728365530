import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Unavailable } from '#src/platform/errors.ts'
import { FreeSpace } from '#src/platform/process/free-space.ts'
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

test('a full disk leaves no unfinished file, and the former object as it was', {
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
