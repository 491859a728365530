import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { folderObjects } from '#src/platform/objects/folder.ts'
import { objectsFolder } from '#src/platform/objects/open-objects.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { prepareDataFolder, testServer } from '#src/testing/database.ts'
import { cannotMount, mountSmallDisk, type SmallDisk } from '#src/testing/small-disk.ts'
import { openTarget } from './target.ts'

const MB = 1024 * 1024
const KEY = 'companies/cmp_1/source.csv'
const CONTENT = randomBytes(60 * MB)

const skip = testServer ? 'embedded only' : cannotMount()

describe('on a disk that fills up', { skip }, () => {
  let disk: SmallDisk
  let folder: string
  let file: string
  before(async () => {
    disk = mountSmallDisk(400)
    folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-backup-disk-'))
    file = path.join(folder, 'whole.backup')
    await prepareDataFolder(folder)
    await folderObjects(objectsFolder(folder)).write([[KEY, CONTENT]])
    const { status, errors } = await run(['backup', file], folder)
    assert.equal(status, 0, errors)
  })
  after(async () => {
    disk.unmount()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (words: string[], DATA_DIR: string) =>
    runCommandLine(words, { env: { PATH: process.env.PATH, DATA_DIR } })
  const target = () => path.join(disk.folder, 'data')

  async function assertRefused(message: RegExp): Promise<void> {
    const { status, errors } = await run(['restore', file], target())
    assert.equal(status, 1)
    assert.match(errors, message)
    assert.equal(errors.match(/\n\s+at /), null, 'no stack')
    assert.ok(!existsSync(path.join(target(), 'database')))
    assert.ok(!existsSync(path.join(target(), 'database.unpublished')))
  }

  test('a restore is refused before it begins, or in the middle, and can be repeated with more space', async () => {
    await disk.fill(100 * MB)
    await assertRefused(/^The disk that holds \S+ has only \d+ MB free; a new database needs 128 MB/m)
    await disk.empty()
    await disk.fill(160 * MB)
    await assertRefused(/^The disk that holds the company files has only \d+ MB free, and 60 MB more would/m)
    await disk.empty()
    // Enough for the file, but not for the copy that is written first.
    await disk.fill(200 * MB)
    await assertRefused(/^The disk that holds the company files has only \d+ MB free, and 120 MB more would/m)
    await disk.empty()
    const { status, errors } = await run(['restore', file], target())
    assert.equal(status, 0, errors)
    assert.ok((await readFile(path.join(objectsFolder(target()), KEY))).equals(CONTENT))
    assert.deepEqual(await readdir(path.join(target(), 'uploads')), [])
    await rm(target(), { recursive: true })
  })

  test('a backup leaves no file, neither at the name nor beside it', async () => {
    await disk.fill(20 * MB)
    const backups = path.join(disk.folder, 'backups')
    const { status, errors } = await run(['backup', path.join(disk.folder, 'cut.backup')], folder)
    assert.equal(status, 1)
    assert.match(errors, /^The disk is full\. Nothing was kept\.$/m)
    assert.deepEqual(await readdir(disk.folder), ['filler'])
    const { put } = await openTarget(backups, { ...NO_STORE })
    await assert.rejects(put('deal-pipeline-2026-03-02T0300Z.backup', file), { code: 'ENOSPC' })
    assert.deepEqual(await readdir(backups), [])
  })
})

const NO_STORE = { endpoint: undefined, region: '', credentials: undefined, forcePathStyle: true }
