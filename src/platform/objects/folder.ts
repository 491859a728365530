import { type BigIntStats, statSync } from 'node:fs'
import { access, constants, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { makePrivateFolder, removeUnfinished } from '#src/platform/process/private-folder.ts'
import { FileWriter } from './file-writer.ts'
import { moveWhole } from './move-whole.ts'
import { type ObjectDescription, type Objects, StoreRefusal } from './objects.ts'
import { type FileContent, writeWhole } from './write-whole.ts'

/** More than this many files are written in a thread. */
const MAX_FILES_AT_ONCE = 20
const FILES_PER_MESSAGE = 100
/** A thread has little memory. */
const LENGTH_PER_MESSAGE = 1_000_000
/** Files are in this folder until they are whole. */
const UNFINISHED = '.unfinished'

/**
 * Stores objects as files in a folder. A few small files are checked and written synchronously: moving each call to a
 * thread takes three times the CPU time of the call.
 * @param freeSpace the folder's disk; while it is nearly full, writing throws Unavailable
 */
export function folderObjects(folder: string, freeSpace?: FreeSpace): Objects {
  makePrivateFolder(folder)
  const unfinished = path.join(folder, UNFINISHED)
  // If it fails, so will writing, which says why.
  removeUnfinished(unfinished).catch(() => {})
  const writer = new FileWriter(unfinished)
  const fileOf = (key: string) => path.join(folder, key)
  // A missing folder, such as an unmounted disk, must not look like an empty one.
  const assertFolderExists = () => void statSync(folder)
  const nullIfMissing = (error: NodeJS.ErrnoException): null => {
    if (error.code !== 'ENOENT') throw error
    assertFolderExists()
    return null
  }
  const exists = (file: string): boolean => {
    if (statSync(file, { throwIfNoEntry: false })) return true
    assertFolderExists()
    return false
  }
  return {
    async read(key) {
      const file = fileOf(key)
      return exists(file) ? readFile(file) : null
    },
    describe: (key) => stat(fileOf(key), { bigint: true }).then(describe).catch(nullIfMissing),
    async open(key, range) {
      const file = fileOf(key)
      if (!exists(file)) return null
      const handle = await open(file).catch(nullIfMissing)
      if (!handle) return null
      try {
        const description = describe(await handle.stat({ bigint: true }))
        return { ...description, body: handle.createReadStream(range) }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    check: () => access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(explain),
    async write(objects) {
      assertFolderExists()
      makePrivateFolder(unfinished)
      for (const files of inGroups(objects)) {
        freeSpace?.check()
        const named = files.map(([key, content]): [string, FileContent] => [fileOf(key), content])
        if (files.length > MAX_FILES_AT_ONCE) await writer.write(named)
        else for (const [file, content] of named) writeWhole(file, content, unfinished)
      }
    },
    async writeFile(key, file) {
      assertFolderExists()
      makePrivateFolder(unfinished)
      freeSpace?.check()
      await moveWhole(file, fileOf(key), unfinished)
    },
    async *list() {
      assertFolderExists()
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = path.relative(folder, path.join(entry.parentPath, entry.name))
        const key = file.split(path.sep).join('/')
        if (entry.isFile() && !key.startsWith(`${UNFINISHED}/`)) yield key
      }
    },
    async delete(keys) {
      assertFolderExists()
      for (const key of keys) await rm(fileOf(key), { force: true })
    },
  }
}

/** We replace files, which changes the inode; a program that overwrites one changes its modification time. */
const describe = ({ size, ino, mtimeNs, mtime }: BigIntStats): ObjectDescription => ({
  size: Number(size),
  etag: `"${[size, ino, mtimeNs].map((part) => part.toString(36)).join('-')}"`,
  modified: mtime,
})

function explain({ code, path: folder }: NodeJS.ErrnoException): never {
  const problem = code === 'ENOENT' ? 'does not exist' : 'is not readable and writable'
  throw new StoreRefusal(`The folder ${folder} ${problem} (${code}); check DATA_DIR.`)
}

function* inGroups(objects: Iterable<[string, FileContent]>): Generator<[string, FileContent][]> {
  let group: [string, FileContent][] = []
  let length = 0
  for (const object of objects) {
    group.push(object)
    length += object[1].length
    if (group.length < FILES_PER_MESSAGE && length < LENGTH_PER_MESSAGE) continue
    yield group
    group = []
    length = 0
  }
  if (group.length > 0) yield group
}
